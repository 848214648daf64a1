"use client";

import { type RefObject, useLayoutEffect, useState } from "react";

/** Less than this below what stands above is no list; it gets the window's height instead, and the page scrolls to it. */
const LEAST_PX = 320;
/** The top bar, which stays. */
const TOP_BAR_PX = 48;

/**
 * The height in which an element that scrolls by itself ends with the window, so that the page around it does not scroll too;
 * null until it is known. `end` is what the page keeps free below it.
 */
export function useFillHeight(element: RefObject<HTMLElement | null>): number | null {
  const [height, setHeight] = useState<number | null>(null);
  // Where it stands is known to the browser alone, and changes with what is above it.
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current;
      if (box === null) return;
      const top = box.getBoundingClientRect().top + window.scrollY;
      const main = document.getElementById("main");
      const end = main === null ? 0 : Number.parseFloat(getComputedStyle(main).paddingBottom) || 0;
      const below = window.innerHeight - top - end;
      setHeight(Math.floor(below >= LEAST_PX ? below : Math.max(LEAST_PX, window.innerHeight - TOP_BAR_PX - end)));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    window.addEventListener("resize", measure);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", measure);
    };
  }, [element]);
  return height;
}
