"use client";

import { useQuery } from "@tanstack/react-query";
import { Search, X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RUN_STATUS_STYLE } from "@/components/status/status-table";
import { useTRPC } from "@/components/trpc/trpc-client";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Input, NativeSelect } from "@/components/ui/input";
import { TONE_CLASS } from "@/components/ui/tone";
import { RUN_STATUSES, type RunStatus } from "@/server/runs/run-state.rules";
import { hasFilters, type RunFilters } from "./run-filters";

/** Backends change with the server's configuration only. */
const BACKENDS_STALE_MS = 300_000;

interface FilterBarProps {
  filters: RunFilters;
  onChange: (change: Partial<RunFilters>) => void;
  onClear: () => void;
}

export function FilterBar({ filters, onChange, onClear }: FilterBarProps) {
  const { t } = useI18n();
  const toggle = (status: RunStatus) =>
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
          aria-label={t("runs.searchLabel")}
          placeholder={t("runs.search")}
          maxLength={200}
          value={filters.q}
          onChange={(event) => onChange({ q: event.target.value })}
          className="pl-9"
        />
      </div>
      <BackendFilter value={filters.backend} onChange={(backend) => onChange({ backend })} />
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("runs.filterStatus")}</legend>
        {RUN_STATUSES.map((status) => (
          <StatusToggle key={status} status={status} pressed={filters.status.includes(status)} onToggle={() => toggle(status)} />
        ))}
      </fieldset>
      {hasFilters(filters) && (
        <Button variant="ghost" size="sm" icon={<X aria-hidden className="size-3.5" />} onClick={onClear}>
          {t("runs.clear")}
        </Button>
      )}
    </section>
  );
}

function StatusToggle({ status, pressed, onToggle }: { status: RunStatus; pressed: boolean; onToggle: () => void }) {
  const { t } = useI18n();
  const { icon: Icon, tone, word } = RUN_STATUS_STYLE[status];
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onToggle}
      className={classNames(
        "inline-flex h-7 items-center gap-1 rounded-full border px-2.5 font-medium text-xs touch:h-9",
        TONE_CLASS[tone],
        pressed ? "border-tone-mark bg-tone-soft text-tone" : "border-line text-ink-soft hover:border-line-strong hover:text-ink",
      )}
    >
      <Icon aria-hidden className="size-3.5 text-tone" />
      {t(word)}
    </button>
  );
}

function BackendFilter({ value, onChange }: { value: string; onChange: (backend: string) => void }) {
  const { t } = useI18n();
  const api = useTRPC();
  const backends = useQuery(api.config.overview.queryOptions(undefined, { staleTime: BACKENDS_STALE_MS }));
  const names = backends.data?.providers.map(({ name }) => name) ?? [];
  return (
    <NativeSelect
      aria-label={t("runs.filterBackend")}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="w-full! sm:w-44!"
    >
      <option value="">{t("runs.allBackends")}</option>
      {/* A link may name a backend that this server does not have (any more). */}
      {value !== "" && !names.includes(value) && <option value={value}>{value}</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </NativeSelect>
  );
}
