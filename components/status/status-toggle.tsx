import type { ReactNode } from "react";
import { classNames } from "@/components/ui/class-names";
import { TONE_CLASS } from "@/components/ui/tone";
import type { StatusStyle } from "./status-table";

interface StatusToggleProps {
  style: Pick<StatusStyle, "icon" | "tone">;
  pressed: boolean;
  onToggle: () => void;
  /** The state's word, perhaps with a count. */
  children: ReactNode;
}

/** One state of a filter: pressed, what is in it is shown. */
export function StatusToggle({ style: { icon: Icon, tone }, pressed, onToggle, children }: StatusToggleProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onToggle}
      className={classNames(
        "inline-flex h-7 items-center gap-1 rounded-full border px-2.5 font-medium text-xs tabular-nums touch:h-9",
        TONE_CLASS[tone],
        pressed ? "border-tone-mark bg-tone-soft text-tone" : "border-line text-ink-soft hover:border-line-strong hover:text-ink",
      )}
    >
      <Icon aria-hidden className="size-3.5 text-tone" />
      {children}
    </button>
  );
}
