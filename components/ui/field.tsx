"use client";

import { type ReactNode, useId } from "react";

interface FieldControlProps {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
}

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** One sentence; marks the control as invalid. */
  error?: ReactNode;
  /** One sentence about a value that is allowed and hardly meant. */
  warning?: ReactNode;
  className?: string;
  /** Spread the given properties on the one control. */
  children: (control: FieldControlProps) => ReactNode;
}

/** A labelled control with its hint, its warning and its error, tied together for assistive technology. */
export function Field({ label, hint, warning, error, className, children }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : null, warning ? `${id}-warning` : null, error ? `${id}-error` : null]
    .filter(Boolean)
    .join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium text-ink text-sm">
        {label}
      </label>
      {children({ id, "aria-describedby": described === "" ? undefined : described, "aria-invalid": error ? true : undefined })}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-ink-faint text-xs">
          {hint}
        </p>
      )}
      {warning && (
        <p id={`${id}-warning`} className="tone-warning mt-1 break-words text-tone text-xs">
          {warning}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="tone-danger mt-1 text-tone text-xs">
          {error}
        </p>
      )}
    </div>
  );
}
