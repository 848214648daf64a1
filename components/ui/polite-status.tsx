"use client";

import { useEffect, useRef, useState } from "react";

/** Counters change all the time; a screen reader must not. */
const ANNOUNCE_EVERY_MS = 10_000;

/** Announces changes of the text politely, at most once in ten seconds, the newest only. Nothing is seen. */
export function PoliteStatus({ text }: { text: string }) {
  const [announced, setAnnounced] = useState(text);
  const announcedAt = useRef(Number.NEGATIVE_INFINITY);
  // The browser's timer holds an announcement back until its turn.
  useEffect(() => {
    if (text === announced) return;
    const wait = Math.max(0, announcedAt.current + ANNOUNCE_EVERY_MS - performance.now());
    const timer = window.setTimeout(() => {
      announcedAt.current = performance.now();
      setAnnounced(text);
    }, wait);
    return () => window.clearTimeout(timer);
  }, [text, announced]);
  return (
    <span role="status" className="sr-only">
      {announced}
    </span>
  );
}
