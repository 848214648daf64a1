"use client";

import { useEffect, useState } from "react";

/** The value, once it has rested for `delayMs`. */
export function useDebounced<T>(value: T, delayMs: number): T {
  const [rested, setRested] = useState(value);
  // The browser's timer decides when the value has rested.
  useEffect(() => {
    const timer = window.setTimeout(() => setRested(value), delayMs);
    return () => window.clearTimeout(timer);
  }, [value, delayMs]);
  return rested;
}
