import type { ComponentProps } from "react";
import { classNames } from "./class-names";

const BOX =
  "rounded-md border border-line-strong bg-surface text-ink placeholder:text-ink-faint aria-invalid:border-danger aria-invalid:outline-danger disabled:opacity-60";

export function Input({ className, ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={classNames(BOX, "h-9 w-full min-w-0 px-3 touch:h-11", className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea {...rest} className={classNames(BOX, "block w-full min-w-0 px-3 py-2", className)} />;
}

/** The platform's own list: it works with every keyboard, screen reader and phone. */
export function NativeSelect({ className, ...rest }: ComponentProps<"select">) {
  return <select {...rest} className={classNames(BOX, "h-9 w-full min-w-0 px-2.5 touch:h-11", className)} />;
}
