"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { ConsoleDataProvider } from "@/components/trpc/trpc-provider";
import { BottomBar } from "./bottom-bar";
import { restoreKeysSetting } from "./keys-setting";
import { Rail } from "./rail";
import { TopBar } from "./top-bar";
import { useShortcuts } from "./use-shortcuts";

/** Few readers ask for it; its window need not come with every page. */
const KeysDialog = dynamic(() => import("./keys-dialog").then((module) => module.KeysDialog), { ssr: false });

interface ConsoleShellProps {
  host: string;
  railCollapsed: boolean;
  canSignOut: boolean;
  children: ReactNode;
}

/** The frame of every page: skip link, top bar, rail or bottom bar, and the main region. */
export function ConsoleShell({ host, railCollapsed, canSignOut, children }: ConsoleShellProps) {
  const { t } = useI18n();
  const [keysOpen, setKeysOpen] = useState(false);
  useShortcuts(() => setKeysOpen(true));
  // The setting lives in the browser's storage.
  useEffect(restoreKeysSetting, []);
  return (
    <ConsoleDataProvider>
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-4 focus:py-2 focus:text-accent-ink"
      >
        {t("shell.skip")}
      </a>
      <TopBar host={host} canSignOut={canSignOut} onShowKeys={() => setKeysOpen(true)} />
      <div className="flex">
        <Rail initiallyCollapsed={railCollapsed} />
        <main id="main" tabIndex={-1} className="min-w-0 flex-1 px-3 pt-4 pb-20 outline-none md:px-6 md:pb-8">
          {children}
        </main>
      </div>
      <BottomBar />
      {keysOpen && <KeysDialog open onOpenChange={setKeysOpen} />}
    </ConsoleDataProvider>
  );
}
