import { type ComponentProps, type ReactNode, useId } from "react";
import { classNames } from "./class-names";

interface CheckboxProps extends Omit<ComponentProps<"input">, "type" | "id"> {
  label: ReactNode;
  /** The label is read but not shown, for cells of a table. */
  labelHidden?: boolean;
}

export function Checkbox({ label, labelHidden = false, className, ...rest }: CheckboxProps) {
  const id = useId();
  return (
    <span className={classNames("inline-flex items-center gap-2", className)}>
      <input {...rest} id={id} type="checkbox" className="size-4 shrink-0 accent-(--accent)" />
      <label htmlFor={id} className={labelHidden ? "sr-only" : "text-ink"}>
        {label}
      </label>
    </span>
  );
}
