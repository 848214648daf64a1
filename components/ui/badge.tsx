import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { TONE_CLASS, type Tone } from "./tone";

interface BadgeProps {
  tone?: Tone;
  icon?: ReactNode;
  title?: string | undefined;
  className?: string | undefined;
  children: ReactNode;
}

export function Badge({ tone = "neutral", icon, title, className, children }: BadgeProps) {
  return (
    <span
      title={title}
      className={classNames(
        "inline-flex h-5.5 items-center gap-1 whitespace-nowrap rounded-full bg-tone-soft px-2 font-medium text-tone text-xs",
        TONE_CLASS[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}
