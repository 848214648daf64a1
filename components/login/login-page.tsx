"use client";

import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { PageTitle } from "@/components/ui/page-title";
import { SignInForm } from "./sign-in-form";

interface LoginPageProps {
  /** Where it leads; a path of this server. */
  next: string;
  /** What was wrong with the form that was sent without a script. */
  refused: "wrong" | "wait" | null;
  /** Which server this is, as the address bar names it. */
  host: string;
  mark: ReactNode;
  /** Language and colours. */
  menus: ReactNode;
}

export function LoginPage({ next, refused, host, mark, menus }: LoginPageProps) {
  const { t } = useI18n();
  const problem =
    refused === null ? null : refused === "wait" ? ({ kind: "tooMany", until: null } as const) : ({ kind: refused } as const);
  return (
    <div className="flex min-h-dvh flex-col">
      <PageTitle title={t("login.title")} />
      <div className="flex justify-end gap-1 p-2">{menus}</div>
      <main className="flex flex-1 items-center justify-center px-4 pb-[18vh]">
        <div className="w-full max-w-sm">
          <div className="flex flex-col items-center text-center">
            {mark}
            <h1 className="mt-4 text-balance font-semibold text-xl tracking-tight">{t("login.heading")}</h1>
            <p className="mt-1 max-w-full break-all text-ink-soft">{t("login.server", { host })}</p>
          </div>
          <div className="mt-6 rounded-xl border border-line bg-surface p-5 shadow-raised sm:p-6">
            {/* A whole new page: what this one fetched as a stranger must not be shown. */}
            <SignInForm next={next} problem={problem} onSignedIn={(path) => window.location.assign(path)} />
          </div>
        </div>
      </main>
    </div>
  );
}
