"use client";

import { X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { BACKEND_STATUS_STYLE } from "@/components/status/status-table";
import { StatusToggle } from "@/components/status/status-toggle";
import { Button } from "@/components/ui/button";
import { SearchBox } from "@/components/ui/search-box";
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
  const { t, formatNumber } = useI18n();
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
      <SearchBox
        label={t("backends.searchLabel")}
        placeholder={t("backends.search")}
        maxLength={200}
        value={filters.q}
        onChange={(q) => onChange({ q })}
      />
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("runs.filterStatus")}</legend>
        {offered.map((status) => (
          <StatusToggle
            key={status}
            style={BACKEND_STATUS_STYLE[status]}
            pressed={filters.status.includes(status)}
            onToggle={() => toggle(status)}
          >
            {t("backends.filterOne", {
              status: t(BACKEND_STATUS_STYLE[status].word),
              count: formatNumber(counts.get(status) ?? 0),
            })}
          </StatusToggle>
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
