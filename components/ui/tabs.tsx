"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface LinkTab {
  href: string;
  label: ReactNode;
  /** A count or a mark after the label. */
  extra?: ReactNode;
  current: boolean;
}

interface LinkTabsProps {
  /** Accessible name of the navigation. */
  label: string;
  tabs: readonly LinkTab[];
}

/** Tabs that are addresses: links in a navigation, so that they open in a new window and keep the browser's history. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav aria-label={label} className="-mb-px flex gap-1 overflow-x-auto">
      {tabs.map((tab) => (
        <Link
          key={tab.href}
          href={tab.href}
          aria-current={tab.current ? "page" : undefined}
          className={classNames(
            "inline-flex h-10 items-center gap-1.5 whitespace-nowrap border-b-2 px-3 font-medium -outline-offset-2 touch:h-11",
            tab.current ? "border-accent text-ink" : "border-transparent text-ink-soft hover:border-line hover:text-ink",
          )}
        >
          {tab.label}
          {tab.extra}
        </Link>
      ))}
    </nav>
  );
}
