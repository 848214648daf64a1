"use client";

import { type RefObject, useLayoutEffect, useRef } from "react";

/** So near to the end counts as at the end. */
const AT_END_PX = 32;

interface StickToEnd {
  isFollowing: boolean;
  /** More may come by itself: whoever scrolls to the end wants to see it. */
  isLive: boolean;
  onFollow: (isFollowing: boolean) => void;
  /** Whatever changes when the list does: rows, and the height they come to. */
  content: readonly unknown[];
}

/**
 * Keeps the end of a list in sight while it is followed. Scrolling up ends that; scrolling down to the end of a live one begins it
 * again.
 * Returns what to call when the list is scrolled.
 */
export function useStickToEnd(
  scroller: RefObject<HTMLElement | null>,
  { isFollowing, isLive, onFollow, content }: StickToEnd,
): () => void {
  const lastTop = useRef(0);
  // Where the end is is known only when the rows are in the document, and must be put right before it is seen.
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || !isFollowing) return;
    element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [scroller, isFollowing, ...content]);
  return () => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollHeight, clientHeight } = element;
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= AT_END_PX;
    // Rows that turn out smaller than they were thought to be move the list up as well, but not away from its end.
    if (isFollowing && !isAtEnd && scrollTop < lastTop.current) onFollow(false);
    else if (isLive && !isFollowing && isAtEnd && scrollTop > lastTop.current) onFollow(true);
    lastTop.current = scrollTop;
  };
}
