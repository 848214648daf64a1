import { classNames } from "@/components/ui/class-names";
import { TONE_CLASS } from "@/components/ui/tone";
import type { AttemptStatus } from "@/server/runs/run-state.rules";
import { CAP_STYLE } from "./bar-style";

interface EndCapProps {
  outcome: AttemptStatus;
  className?: string;
}

/** How an attempt ended: a filled disc, so that it is seen on any bar, with its sign inside. */
export function EndCap({ outcome, className }: EndCapProps) {
  const { icon: Icon, tone } = CAP_STYLE[outcome];
  return (
    <span
      aria-hidden
      className={classNames(
        TONE_CLASS[tone],
        "inline-flex size-3 shrink-0 items-center justify-center rounded-full bg-tone-mark text-surface",
        className,
      )}
    >
      <Icon className="size-2.5" strokeWidth={3.5} />
    </span>
  );
}
