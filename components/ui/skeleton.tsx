import { classNames } from "./class-names";

/** A place kept while something loads. Give it the final size, so that nothing jumps. */
export function Skeleton({ className }: { className?: string }) {
  return <span aria-hidden className={classNames("block animate-breathe rounded bg-sunken", className)} />;
}
