"use client";

import { ChevronLeft, ChevronRight } from "lucide-react";
import Link from "next/link";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
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

/** Tabs beyond the edges of a strip that scrolls. */
interface Hidden {
  before: boolean;
  after: boolean;
}

/** Room that is left beside a tab which was scrolled into view, so that its neighbour is seen to be there. */
const PEEK_PX = 32;

/** Tabs that are addresses: links in a navigation, so that they open in a new window and keep the browser's history. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const strip = useRef<HTMLElement>(null);
  const [hidden, setHidden] = useState<Hidden>({ before: false, after: false });
  const current = tabs.find((tab) => tab.current)?.href;
  const measure = () => {
    const element = strip.current;
    if (element === null) return;
    const before = element.scrollLeft > 1;
    const after = element.scrollLeft + element.clientWidth < element.scrollWidth - 1;
    setHidden((now) => (now.before === before && now.after === after ? now : { before, after }));
  };
  // What fits is known to the browser alone, and the chosen tab has to be seen: also where the strip is narrower than its tabs.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another current tab is what it is for.
  useLayoutEffect(() => {
    const element = strip.current;
    if (element === null) return;
    const tab = element.querySelector<HTMLElement>('[aria-current="page"]');
    if (tab !== null) {
      const start = Math.max(0, tab.offsetLeft - PEEK_PX);
      const end = tab.offsetLeft + tab.offsetWidth + PEEK_PX;
      if (start < element.scrollLeft) element.scrollLeft = start;
      else if (end > element.scrollLeft + element.clientWidth) element.scrollLeft = end - element.clientWidth;
    }
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => observer.disconnect();
  }, [current]);
  return (
    <div className="relative -mb-px">
      <nav ref={strip} aria-label={label} onScroll={measure} className="relative flex gap-1 overflow-x-auto">
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
      <Edge side="before" shown={hidden.before} />
      <Edge side="after" shown={hidden.after} />
    </div>
  );
}

/** A fade over the edge behind which there is more. */
function Edge({ side, shown }: { side: keyof Hidden; shown: boolean }) {
  return (
    <span
      aria-hidden
      data-more={shown ? side : undefined}
      className={classNames(
        "pointer-events-none absolute inset-y-0 flex w-10 items-center from-canvas to-transparent text-ink-soft transition-opacity",
        side === "before" ? "left-0 justify-start bg-linear-to-r" : "right-0 justify-end bg-linear-to-l",
        shown ? "opacity-100" : "opacity-0",
      )}
    >
      {side === "before" ? <ChevronLeft className="size-4" /> : <ChevronRight className="size-4" />}
    </span>
  );
}
