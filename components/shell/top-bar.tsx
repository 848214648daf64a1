"use client";

import { Keyboard } from "lucide-react";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { IconButton } from "@/components/ui/button";
import { LanguageMenu, MoreMenu, ThemeMenu } from "./appearance-menus";
import { BrandMark } from "./brand-mark";
import { EnvironmentBadge } from "./environment-badge";
import { LivePill } from "./live-pill";
import { SignOutButton } from "./sign-out";
import { ZoneClock } from "./zone-clock";

interface TopBarProps {
  host: string;
  /** Where people sign in, they can sign out. */
  canSignOut: boolean;
  onShowKeys: () => void;
}

export function TopBar({ host, canSignOut, onShowKeys }: TopBarProps) {
  const { t } = useI18n();
  return (
    <header className="sticky top-0 z-30 flex h-12 items-center gap-2 border-line border-b bg-surface px-3">
      <Link href={paths.runs()} aria-label={t("shell.home")} className="flex items-center gap-2 rounded-md font-semibold">
        <BrandMark className="size-7" />
        <span className="hidden tracking-tight sm:inline">Switchyard</span>
      </Link>
      <EnvironmentBadge host={host} />
      <div className="ml-auto flex items-center gap-1">
        <LivePill />
        <ZoneClock />
        <span className="hidden md:inline-flex">
          <IconButton label={t("shell.keys")} icon={<Keyboard aria-hidden className="size-4" />} onClick={onShowKeys} />
        </span>
        {canSignOut && (
          <span className="sm:hidden">
            <MoreMenu />
          </span>
        )}
        <span className={canSignOut ? "hidden gap-1 sm:flex" : "flex gap-1"}>
          <LanguageMenu />
          <ThemeMenu />
          {canSignOut && <SignOutButton />}
        </span>
      </div>
    </header>
  );
}
