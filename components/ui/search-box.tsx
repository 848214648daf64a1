import { Search } from "lucide-react";
import { classNames } from "./class-names";
import { Input } from "./input";

interface SearchBoxProps {
  label: string;
  /** Usual: the label. */
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  maxLength?: number;
  /** `md` takes a narrow screen's whole width; `sm` stands in the head of a panel. */
  size?: "md" | "sm";
}

const BOXES = { md: "w-full sm:w-64", sm: "w-56" } as const;
const ICONS = { md: "left-3 size-4", sm: "left-2.5 size-3.5" } as const;
const INPUTS = { md: "pl-9", sm: "h-7! pl-8 text-xs" } as const;

/** Where a list is filtered by words; the key `/` leads into it. */
export function SearchBox({ label, placeholder = label, value, onChange, maxLength, size = "md" }: SearchBoxProps) {
  return (
    <div className={classNames("relative", BOXES[size])}>
      <Search
        aria-hidden
        className={classNames("pointer-events-none absolute top-1/2 -translate-y-1/2 text-ink-faint", ICONS[size])}
      />
      <Input
        type="search"
        data-filter-input
        aria-label={label}
        placeholder={placeholder}
        maxLength={maxLength}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={INPUTS[size]}
      />
    </div>
  );
}
