"use client";

import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronDown } from "lucide-react";
import type { ReactNode } from "react";

interface SelectOption {
  value: string;
  label: string;
  /** A second, quiet line in the list. */
  hint?: ReactNode;
}

interface SelectProps {
  id?: string;
  "aria-label"?: string;
  "aria-describedby"?: string | undefined;
  "aria-invalid"?: true | undefined;
  value: string;
  onValueChange: (value: string) => void;
  options: readonly SelectOption[];
}

/** One of few, where the options need a second line; otherwise NativeSelect of input.tsx is enough. */
export function Select({ value, onValueChange, options, ...trigger }: SelectProps) {
  const shown = options.find((option) => option.value === value);
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => {
        if (typeof next === "string") onValueChange(next);
      }}
    >
      <Base.Trigger
        {...trigger}
        className="flex h-9 w-full min-w-0 items-center gap-2 rounded-md border border-line-strong bg-surface px-3 text-left text-ink aria-invalid:border-danger touch:h-11"
      >
        <Base.Value className="min-w-0 flex-1 truncate">{shown?.label ?? value}</Base.Value>
        <Base.Icon>
          <ChevronDown aria-hidden className="size-4 text-ink-faint" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="max-h-(--available-height) min-w-(--anchor-width) max-w-[min(32rem,calc(100vw-2rem))] overflow-y-auto rounded-lg border border-line bg-surface p-1 shadow-raised">
            {options.map((option) => (
              <Base.Item
                key={option.value}
                value={option.value}
                className="grid cursor-default grid-cols-[1rem_1fr] items-start gap-2 rounded-md px-2 py-1.5 outline-none data-highlighted:bg-hover"
              >
                <Base.ItemIndicator className="col-start-1 mt-1">
                  <Check aria-hidden className="size-4 text-accent" />
                </Base.ItemIndicator>
                <div className="col-start-2 min-w-0">
                  <Base.ItemText className="font-medium">{option.label}</Base.ItemText>
                  {option.hint && <div className="text-ink-faint text-xs">{option.hint}</div>}
                </div>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
