"use client";

import { type ClipboardEvent, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { isUnfinishedReference, VARIABLE_EXAMPLE } from "./key-reference";

interface KeyFieldProps {
  /** A reference, perhaps not finished; never a key. */
  value: string;
  suggestion: string;
  /** Why it cannot stay so. */
  problem: string | null;
  onChange: (reference: string) => void;
}

/** Where the key is to be found. A key itself does not even get into the field. */
export function KeyField({ value, suggestion, problem, onChange }: KeyFieldProps) {
  const { t } = useI18n();
  const [isRefused, setIsRefused] = useState(false);
  const change = (next: string) => {
    // What is left after something was taken away is not a key, but it may not be a reference any more either.
    const isAllowed = isUnfinishedReference(next) || next.length < value.length;
    setIsRefused(!isAllowed);
    if (isAllowed) onChange(next);
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    event.preventDefault();
    const input = event.currentTarget;
    const pasted = event.clipboardData.getData("text").trim();
    const start = input.selectionStart ?? value.length;
    const next = value.slice(0, start) + pasted + value.slice(input.selectionEnd ?? start);
    const whole = isUnfinishedReference(next) ? next : isUnfinishedReference(pasted) ? pasted : null;
    setIsRefused(whole === null);
    if (whole !== null) onChange(whole);
  };
  return (
    <Field
      label={t("config.provider.apiKey")}
      hint={t("config.provider.apiKeyHint", { example: VARIABLE_EXAMPLE })}
      error={isRefused ? t("config.provider.keyRefused") : problem}
    >
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          spellCheck={false}
          placeholder={suggestion}
          value={value}
          onPaste={paste}
          onDrop={(event) => event.preventDefault()}
          onChange={(event) => change(event.target.value)}
          className="font-mono text-xs"
        />
      )}
    </Field>
  );
}
