import type { DensityBucket } from "./density";

export interface MinimapColours {
  succeeded: string;
  other: string;
  failed: string;
}

/** Nothing that happened is invisible. */
const LEAST_PX = 2;

/** Paints the buckets as stacks, failures on top, in device pixels; `size` is in CSS pixels. A browser without a canvas paints nothing. */
export function paintMinimap(
  canvas: HTMLCanvasElement,
  buckets: readonly DensityBucket[],
  size: { width: number; height: number },
  colours: MinimapColours,
): void {
  const context = canvas.getContext("2d");
  if (context === null) return;
  const ratio = window.devicePixelRatio || 1;
  canvas.style.width = `${size.width}px`;
  canvas.style.height = `${size.height}px`;
  canvas.width = Math.round(size.width * ratio);
  canvas.height = Math.round(size.height * ratio);
  const highest = Math.max(1, ...buckets.map((bucket) => bucket.succeeded + bucket.failed + bucket.other));
  const step = canvas.width / Math.max(1, buckets.length);
  buckets.forEach((bucket, place) => {
    let bottom = canvas.height;
    for (const kind of ["succeeded", "other", "failed"] as const) {
      if (bucket[kind] === 0) continue;
      const height = Math.max(LEAST_PX * ratio, (bucket[kind] / highest) * canvas.height * 0.95);
      context.fillStyle = colours[kind];
      context.fillRect(place * step, bottom - height, Math.max(1, step - ratio), height);
      bottom -= height;
    }
  });
}
