"use client";

import { useId, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";

interface GoToChunkProps {
  /** The last index. */
  total: number;
  onGo: (index: number) => void;
}

/** The way to any chunk of a long list. */
export function GoToChunk({ total, onGo }: GoToChunkProps) {
  const { t } = useI18n();
  const id = useId();
  const [text, setText] = useState("");
  return (
    <form
      className="flex items-center gap-2 text-xs"
      onSubmit={(event) => {
        event.preventDefault();
        const index = Number(text);
        if (Number.isInteger(index) && index >= 1 && index <= total) onGo(index);
      }}
    >
      <label htmlFor={id} className="whitespace-nowrap text-ink-soft">
        {t("chunks.goTo")}
      </label>
      <Input
        id={id}
        type="number"
        required
        min={1}
        max={total}
        placeholder={`1–${total}`}
        value={text}
        onChange={(event) => setText(event.target.value)}
        className="h-7! w-24! px-2! touch:h-9!"
      />
      <Button type="submit" size="sm">
        {t("events.go")}
      </Button>
    </form>
  );
}
