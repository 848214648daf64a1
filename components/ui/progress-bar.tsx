import { classNames } from "./class-names";
import { PATTERN_CLASS, type Pattern, TONE_CLASS, type Tone } from "./tone";

interface ProgressSegment {
  key: string;
  /** "412 succeeded". */
  label: string;
  value: number;
  tone: Tone;
  pattern: Pattern;
  /** Moves slowly, where motion is allowed. */
  moving?: boolean;
}

interface ProgressBarProps {
  /** Accessible name: "Progress". */
  label: string;
  /** What the bar says in words: "41 %, 412 succeeded, 3 failed". */
  valueText: string;
  segments: readonly ProgressSegment[];
  /** Whole length; at least the sum of the segments. */
  total: number;
  /** Part that counts as done, for assistive technology. */
  done: number;
  className?: string;
}

export function ProgressBar({ label, valueText, segments, total, done, className }: ProgressBarProps) {
  const whole = Math.max(total, 1);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={Math.min(done, total)}
      aria-valuetext={valueText}
      title={valueText}
      className={classNames("flex h-2 w-full overflow-hidden rounded-full bg-sunken", className)}
    >
      {segments
        .filter((segment) => segment.value > 0)
        .map((segment) => (
          <span
            key={segment.key}
            className={classNames(
              "h-full min-w-[3px]",
              TONE_CLASS[segment.tone],
              PATTERN_CLASS[segment.pattern],
              segment.moving && "animate-drift",
            )}
            style={{ width: `${(segment.value / whole) * 100}%` }}
          />
        ))}
    </div>
  );
}
