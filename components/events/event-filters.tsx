"use client";

import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { Button } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import type { EventType } from "@/server/events/event.rules";

interface EventFiltersProps {
  runId: string;
  types: readonly EventType[];
  chunk: number | null;
  onFilter: (filter: { type?: EventType[]; chunk?: number | null }) => void;
  onJump: (seq: number) => void;
}

/** Types with their counts, the chunk, and a way to any sequence number. */
export function EventFilters({ runId, types, chunk, onFilter, onJump }: EventFiltersProps) {
  const { t, formatNumber } = useI18n();
  const counts = useQuery(useTRPC().events.counts.queryOptions({ runId })).data ?? [];
  const id = useId();
  const [seq, setSeq] = useState("");
  const wanted = Number(seq);
  const toggle = (type: EventType) =>
    onFilter({ type: types.includes(type) ? types.filter((each) => each !== type) : [...types, type] });
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <details className="min-w-0">
        <summary className="inline-flex h-9 cursor-pointer items-center rounded-md border border-line-strong bg-surface px-3 text-sm touch:h-11">
          {t("events.types")}: {types.length === 0 ? t("events.typesAll") : t("events.typesSome", { count: types.length })}
        </summary>
        <fieldset className="mt-2 grid gap-x-4 gap-y-1 rounded-md border border-line bg-surface p-3 sm:grid-cols-2 lg:grid-cols-3">
          <legend className="sr-only">{t("events.types")}</legend>
          {counts.map(({ type, count }) => (
            <label key={type} className="flex items-center gap-2 text-xs touch:min-h-9">
              <input
                type="checkbox"
                checked={types.includes(type)}
                onChange={() => toggle(type)}
                className="size-4 accent-accent"
              />
              <code className="font-mono">{type}</code>
              <span className="text-ink-faint tabular-nums">{formatNumber(count)}</span>
            </label>
          ))}
          {types.length > 0 && (
            <Button size="sm" variant="ghost" onClick={() => onFilter({ type: [] })}>
              {t("events.clearTypes")}
            </Button>
          )}
        </fieldset>
      </details>
      <div className="flex items-center gap-2 text-sm">
        <label htmlFor={`${id}-chunk`}>{t("events.chunk")}</label>
        <Input
          id={`${id}-chunk`}
          type="number"
          min={1}
          className="max-w-24"
          placeholder={t("events.chunkAny")}
          value={chunk ?? ""}
          onChange={(event) => {
            const next = event.target.valueAsNumber;
            onFilter({ chunk: Number.isInteger(next) && next >= 1 ? next : null });
          }}
        />
      </div>
      <form
        className="flex items-center gap-2 text-sm"
        onSubmit={(event) => {
          event.preventDefault();
          if (Number.isInteger(wanted) && wanted >= 1) onJump(wanted);
        }}
      >
        <label htmlFor={`${id}-seq`} className="whitespace-nowrap">
          {t("events.jump")}
        </label>
        <Input
          id={`${id}-seq`}
          type="number"
          min={1}
          className="max-w-28"
          value={seq}
          onChange={(event) => setSeq(event.target.value)}
        />
        <Button type="submit">{t("events.go")}</Button>
      </form>
    </div>
  );
}
