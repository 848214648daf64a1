"use client";

import { useRouter } from "next/navigation";
import { useEffect, useEffectEvent, useRef } from "react";
import { paths } from "@/components/paths";
import { isShortcutBlocked } from "@/components/ui/shortcut";

/** After "g" the next key counts this long. */
const SEQUENCE_MS = 1_500;

/** Keys that work on every page: g r, g n, g b, g c, / and ?. */
export function useShortcuts(onShowKeys: () => void): void {
  const router = useRouter();
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (isShortcutBlocked(event)) return;
    const going = event.timeStamp - goPressedAt.current < SEQUENCE_MS;
    goPressedAt.current = event.key === "g" && !going ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (going && event.key === "r") router.push(paths.runs());
    else if (going && event.key === "n") router.push(paths.newRun());
    else if (going && event.key === "c") router.push(paths.config());
    else if (going && event.key === "b") router.push(paths.backends());
    else if (event.key === "?") onShowKeys();
    else if (event.key === "/") {
      const filter = document.querySelector("[data-filter-input]");
      if (!(filter instanceof HTMLElement)) return;
      filter.focus();
    } else return;
    event.preventDefault();
  });
  // Keys come from the document.
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener("keydown", listener);
    return () => document.removeEventListener("keydown", listener);
  }, []);
}
