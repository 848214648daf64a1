"use client";

import { memo } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useMediaQuery } from "@/components/ui/use-media-query";
import type { BackendRow } from "@/server/runs/backend-view.schema";
import { CapabilityMarks, IsolationCell, ProfileCell, RuntimeCell, ScoreMarks, StatusCell, TokenizerText } from "./backend-cells";
import { ProviderEntry } from "./provider-entry";

/** Below this the columns do not fit beside the open rail. */
const WIDE_TABLE = "(min-width: 72rem)";
const COLUMNS = ["profile", "status", "runtime", "isolation", "can", "scores"] as const;

interface BackendListProps {
  rows: readonly BackendRow[];
  /** Names the table. */
  label: string;
}

/** The capability table, each profile with its providers below it; one card a profile on narrow screens. */
export function BackendList(props: BackendListProps) {
  return useMediaQuery(WIDE_TABLE) ? <BackendTable {...props} /> : <BackendCards {...props} />;
}

function BackendTable({ rows, label }: BackendListProps) {
  const { t } = useI18n();
  return (
    <table aria-label={label} className="w-full table-fixed text-left">
      <colgroup>
        <col className="w-[18%]" />
        <col className="w-[16%]" />
        <col className="w-[15%]" />
        <col className="w-[17%]" />
        <col className="w-[14%]" />
        <col className="w-[20%]" />
      </colgroup>
      <thead className="text-ink-faint text-xs">
        <tr className="border-line border-b">
          {COLUMNS.map((column) => (
            <th key={column} scope="col" className="px-3 py-1.5 font-normal first:pl-4 last:pr-4">
              {t(`backends.column.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map((row) => (
        <TableRows key={row.profile} row={row} />
      ))}
    </table>
  );
}

const TableRows = memo(function TableRows({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <tbody className="border-line border-t first-of-type:border-t-0">
      <tr className="align-top">
        <th scope="row" className="px-3 pt-3 pb-2 first:pl-4 last:pr-4 font-normal">
          <ProfileCell row={row} />
        </th>
        <td className="px-3 pt-3 pb-2 first:pl-4 last:pr-4">
          <StatusCell row={row} />
        </td>
        <td className="px-3 pt-3 pb-2 first:pl-4 last:pr-4">
          <RuntimeCell row={row} />
        </td>
        <td className="px-3 pt-3 pb-2 first:pl-4 last:pr-4">
          <IsolationCell row={row} />
        </td>
        <td className="px-3 pt-3 pb-2 first:pl-4 last:pr-4">
          <CapabilityMarks row={row} />
        </td>
        <td className="px-3 pt-3 pb-2 first:pl-4 last:pr-4">
          <ScoreMarks row={row} />
          <TokenizerText row={row} />
        </td>
      </tr>
      {row.providers.length > 0 && (
        <tr>
          <td colSpan={COLUMNS.length} className="px-4 pb-3">
            <ProviderEntries row={row} label={t("backends.providersOf", { profile: row.profile })} />
          </td>
        </tr>
      )}
    </tbody>
  );
});

function ProviderEntries({ row, label }: { row: BackendRow; label: string }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-md border border-line bg-canvas">
      {row.providers.map((provider) => (
        <li key={provider.name} className="px-3 py-3">
          <ProviderEntry provider={provider} kind={row.backendKind} />
        </li>
      ))}
    </ul>
  );
}

function BackendCards({ rows, label }: BackendListProps) {
  const { t } = useI18n();
  return (
    <ul aria-label={label} className="divide-y divide-line">
      {rows.map((row) => (
        <li key={row.profile} className="space-y-3 px-4 py-4">
          <div className="grid gap-3 sm:grid-cols-2">
            <ProfileCell row={row} />
            <StatusCell row={row} />
            <RuntimeCell row={row} />
            <IsolationCell row={row} />
          </div>
          <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 sm:grid-cols-2">
            <CapabilityMarks row={row} />
            <div>
              <ScoreMarks row={row} />
              <TokenizerText row={row} />
            </div>
          </div>
          {row.providers.length > 0 && <ProviderEntries row={row} label={t("backends.providersOf", { profile: row.profile })} />}
        </li>
      ))}
    </ul>
  );
}
