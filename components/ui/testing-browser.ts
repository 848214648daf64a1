import { vi } from "vitest";

/** What jsdom lacks for elements that watch their size and for media queries; `vi.unstubAllGlobals()` takes it away. Only tests import it. */
export function stubBrowser({ isWide = true }: { isWide?: boolean } = {}): void {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("matchMedia", (query: string) => ({
    matches: isWide && query.includes("min-width"),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}
