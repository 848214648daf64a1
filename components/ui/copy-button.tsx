"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { IconButton } from "./button";
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
      <IconButton
        size={size}
        label={label}
        {...(className === undefined ? {} : { className })}
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
