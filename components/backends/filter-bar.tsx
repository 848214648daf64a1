"use client";

import { Search, X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { BACKEND_STATUS_STYLE } from "@/components/status/status-table";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Input } from "@/components/ui/input";
import { TONE_CLASS } from "@/components/ui/tone";
import type { BackendRow } from "@/server/runs/backend-view.schema";
import { BACKEND_STATUSES, type BackendFilters, type BackendStatus } from "./backend-groups";

interface FilterBarProps {
  rows: readonly BackendRow[];
  filters: BackendFilters;
  onChange: (change: Partial<BackendFilters>) => void;
  onClear: () => void;
}

/** How many profiles are in which state: the counts are the filter. */
export function FilterBar({ rows, filters, onChange, onClear }: FilterBarProps) {
  const { t } = useI18n();
  const counts = new Map<BackendStatus, number>();
  for (const { status } of rows) counts.set(status, (counts.get(status) ?? 0) + 1);
  // A link may ask for a state that no profile is in now.
  const offered = BACKEND_STATUSES.filter((status) => counts.has(status) || filters.status.includes(status));
  const toggle = (status: BackendStatus) =>
    onChange({
      status: filters.status.includes(status) ? filters.status.filter((other) => other !== status) : [...filters.status, status],
    });
  return (
    <section aria-label={t("runs.filters")} className="flex flex-wrap items-center gap-2">
      <div className="relative w-full sm:w-64">
        <Search aria-hidden className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-ink-faint" />
        <Input
          type="search"
          data-filter-input
          aria-label={t("backends.searchLabel")}
          placeholder={t("backends.search")}
          maxLength={200}
          value={filters.q}
          onChange={(event) => onChange({ q: event.target.value })}
          className="pl-9"
        />
      </div>
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("runs.filterStatus")}</legend>
        {offered.map((status) => (
          <StatusToggle
            key={status}
            status={status}
            count={counts.get(status) ?? 0}
            pressed={filters.status.includes(status)}
            onToggle={() => toggle(status)}
          />
        ))}
      </fieldset>
      {(filters.q !== "" || filters.status.length > 0) && (
        <Button variant="ghost" size="sm" icon={<X aria-hidden className="size-3.5" />} onClick={onClear}>
          {t("runs.clear")}
        </Button>
      )}
    </section>
  );
}

interface StatusToggleProps {
  status: BackendStatus;
  count: number;
  pressed: boolean;
  onToggle: () => void;
}

function StatusToggle({ status, count, pressed, onToggle }: StatusToggleProps) {
  const { t, formatNumber } = useI18n();
  const { icon: Icon, tone, word } = BACKEND_STATUS_STYLE[status];
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onToggle}
      className={classNames(
        "inline-flex h-7 items-center gap-1 rounded-full border px-2.5 font-medium text-xs tabular-nums touch:h-9",
        TONE_CLASS[tone],
        pressed ? "border-tone-mark bg-tone-soft text-tone" : "border-line text-ink-soft hover:border-line-strong hover:text-ink",
      )}
    >
      <Icon aria-hidden className="size-3.5 text-tone" />
      {t("backends.filterOne", { status: t(word), count: formatNumber(count) })}
    </button>
  );
}
