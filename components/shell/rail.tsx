"use client";

import { PanelLeftClose, PanelLeftOpen } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { IconButton } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Tooltip } from "@/components/ui/tooltip";
import { PLACES, type Place } from "./places";
import { RAIL_COOKIE } from "./rail-cookie";

const ONE_YEAR_S = 365 * 24 * 60 * 60;

/** The left side on wide screens. The server reads the cookie, so that nothing moves after the first paint. */
export function Rail({ initiallyCollapsed }: { initiallyCollapsed: boolean }) {
  const { t } = useI18n();
  const [collapsed, setCollapsed] = useState(initiallyCollapsed);
  const toggle = () => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is absent on plain-http addresses.
    document.cookie = `${RAIL_COOKIE}=${collapsed ? "open" : "collapsed"}; path=/; max-age=${ONE_YEAR_S}; samesite=lax`;
    setCollapsed(!collapsed);
  };
  return (
    <div
      className={classNames(
        "sticky top-12 hidden h-[calc(100dvh-3rem)] shrink-0 flex-col border-line border-r bg-surface p-2 md:flex",
        collapsed ? "w-13" : "w-48",
      )}
    >
      <nav aria-label={t("shell.navigation")} className="flex flex-col gap-0.5">
        {PLACES.map((place) => (
          <RailLink key={place.href} place={place} collapsed={collapsed} />
        ))}
      </nav>
      <div className="mt-auto">
        <IconButton
          label={t(collapsed ? "shell.expand" : "shell.collapse")}
          icon={collapsed ? <PanelLeftOpen aria-hidden className="size-4" /> : <PanelLeftClose aria-hidden className="size-4" />}
          aria-expanded={!collapsed}
          onClick={toggle}
        />
      </div>
    </div>
  );
}

function RailLink({ place, collapsed }: { place: Place; collapsed: boolean }) {
  const { t } = useI18n();
  const current = place.isCurrent(usePathname());
  const Icon = place.icon;
  const link = (
    <Link
      href={place.href}
      aria-current={current ? "page" : undefined}
      className={classNames(
        "flex h-9 items-center gap-2.5 rounded-md px-2.5 font-medium",
        current ? "bg-accent-soft text-accent" : "text-ink-soft hover:bg-hover hover:text-ink",
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className={collapsed ? "sr-only" : "truncate"}>{t(place.word)}</span>
    </Link>
  );
  return collapsed ? (
    <Tooltip content={t(place.word)} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  );
}
