"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RUN_STATUS_STYLE } from "@/components/status/status-table";
import { StatusToggle } from "@/components/status/status-toggle";
import { useTRPC } from "@/components/trpc/trpc-client";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/input";
import { SearchBox } from "@/components/ui/search-box";
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
      <SearchBox
        label={t("runs.searchLabel")}
        placeholder={t("runs.search")}
        maxLength={200}
        value={filters.q}
        onChange={(q) => onChange({ q })}
      />
      <BackendFilter value={filters.backend} onChange={(backend) => onChange({ backend })} />
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t("runs.filterStatus")}</legend>
        {RUN_STATUSES.map((status) => (
          <StatusToggle
            key={status}
            style={RUN_STATUS_STYLE[status]}
            pressed={filters.status.includes(status)}
            onToggle={() => toggle(status)}
          >
            {t(RUN_STATUS_STYLE[status].word)}
          </StatusToggle>
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
