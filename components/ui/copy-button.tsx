"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";
import { copyText } from "./copy-text";
import { useUiLabels } from "./ui-labels";

/** Long enough to be seen, short enough not to lie about the present clipboard. */
const COPIED_SHOWN_MS = 1_600;

interface CopyButtonProps {
  value: string;
  /** What it copies: "Copy the run's id". */
  label: string;
  size?: "sm" | "md";
  className?: string;
}

export function CopyButton({ value, label, size = "sm", className }: CopyButtonProps) {
  const labels = useUiLabels();
  const [copied, setCopied] = useState(false);
  // The browser's timer takes the mark away again.
  useEffect(() => {
    if (!copied) return;
    const timer = window.setTimeout(() => setCopied(false), COPIED_SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [copied]);
  return (
    <>
      {/* The browser's own tooltip: lists hold hundreds of these, and a floating one each is dear. */}
      <Button
        variant="ghost"
        size={size}
        aria-label={label}
        title={label}
        className={classNames(size === "sm" ? "w-7 px-0! touch:w-9" : "w-9 px-0! touch:w-11", className)}
        icon={copied ? <Check aria-hidden className="size-3.5" /> : <Copy aria-hidden className="size-3.5" />}
        onClick={(event) => {
          event.stopPropagation();
          void copyText(value).then(setCopied);
        }}
      />
      <span role="status" className="sr-only">
        {copied ? labels.copied : ""}
      </span>
    </>
  );
}
