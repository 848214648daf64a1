"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { RunSummary } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.schema";
import { timeDomain } from "./density";
import { DensityTable } from "./density-table";
import { Minimap } from "./minimap";
import { SlotsLane } from "./slots-lane";
import { busyIntervals, compressIdle, type Interval, idleShare, REAL_TIME } from "./time-map";
import { TimelineGrid } from "./timeline-grid";
import { TimelineLegend } from "./timeline-legend";
import { hasFailure, type TimelineRow } from "./timeline-row";
import { TimelineToolbar } from "./timeline-toolbar";
import { useTimelineRows } from "./use-timeline-rows";
import { useTimelineView } from "./use-timeline-view";

const TICK_MS = 1_000;
/** From this share of idle time on, leaving it out is offered. */
const WORTH_COMPRESSING = 0.5;

export function TimelinePanel({ runId }: { runId: string }) {
  const { t, formatNumber } = useI18n();
  const errorText = useErrorText();
  const run = useQuery(useTRPC().runs.get.queryOptions({ id: runId })).data;
  const { rows, complete, error, reload } = useTimelineRows(runId);
  if (error !== null && rows.length === 0) {
    const { title, detail } = errorText(error);
    return <ErrorState title={t("timeline.loadFailed")} message={`${title} ${detail}`} onRetry={reload} />;
  }
  if (run === undefined || (rows.length === 0 && !complete)) return <Skeleton className="h-96 w-full" />;
  if (rows.length === 0) {
    return (
      <div className="rounded-lg border border-line bg-surface">
        <EmptyState title={t("timeline.empty")} />
      </div>
    );
  }
  return (
    <div className="space-y-3">
      {rows.length < run.counts.total && (
        <p role="status" className="text-ink-faint text-xs tabular-nums">
          {t("timeline.loaded", { loaded: formatNumber(rows.length), total: formatNumber(run.counts.total) })}
        </p>
      )}
      <LoadedTimeline runId={runId} run={run} rows={rows} />
    </div>
  );
}

interface LoadedTimelineProps {
  runId: string;
  run: RunSummary;
  rows: readonly TimelineRow[];
}

function LoadedTimeline({ runId, run, rows }: LoadedTimelineProps) {
  const { t } = useI18n();
  const resting = isResting(run.status);
  const ticking = useNow(TICK_MS);
  const settledAt = run.endedAt === null ? Date.parse(run.updatedAt) : Date.parse(run.endedAt);
  // A run at rest does not move: its time stands still, and nothing is laid out again.
  const now = resting ? settledAt : (ticking ?? settledAt);
  const [errorsOnly, setErrorsOnly] = useState(false);
  const [showWaiting, setShowWaiting] = useState(true);
  const [compressed, setCompressed] = useState(false);
  const createdAt = Date.parse(run.createdAt);
  const domain = useMemo<Interval>(
    () => timeDomain(rows, { createdAt, endedAt: run.endedAt === null ? null : Date.parse(run.endedAt), resting }, now),
    [rows, createdAt, run.endedAt, resting, now],
  );
  const busy = useMemo(() => busyIntervals(rows, now), [rows, now]);
  const map = useMemo(() => (compressed ? compressIdle(busy, domain) : REAL_TIME), [compressed, busy, domain]);
  const drawn = useMemo<Interval>(() => ({ from: map.toDrawn(domain.from), to: map.toDrawn(domain.to) }), [map, domain]);
  const idle = idleShare(busy, domain);
  const shown = useMemo(() => (errorsOnly ? rows.filter(hasFailure) : rows), [rows, errorsOnly]);
  const view = useTimelineView(drawn, !resting, {
    onErrors: () => setErrorsOnly((on) => !on),
    onWaiting: () => setShowWaiting((on) => !on),
  });
  return (
    <>
      <TimelineToolbar
        view={view}
        resting={resting}
        errorsOnly={errorsOnly}
        onErrorsOnly={setErrorsOnly}
        showWaiting={showWaiting}
        onShowWaiting={setShowWaiting}
        idle={
          idle >= WORTH_COMPRESSING || compressed
            ? { share: idle, length: domain.to - domain.from, compressed, onCompressed: setCompressed }
            : null
        }
        shown={shown.length}
        total={rows.length}
      />
      <div className="rounded-lg border border-line bg-surface shadow-panel">
        <Minimap rows={rows} domain={domain} map={map} view={view.view} whole={drawn} onView={view.setView} />
        <SlotsLane rows={rows} map={map} view={view.view} now={now} />
        {shown.length === 0 ? (
          <p className="px-4 py-6 text-ink-soft">{t("timeline.noErrors")}</p>
        ) : (
          <TimelineGrid
            runId={runId}
            rows={shown}
            view={view}
            map={map}
            origin={createdAt}
            now={now}
            showWaiting={showWaiting}
            live={!resting}
          />
        )}
      </div>
      <TimelineLegend />
      <DensityTable rows={rows} domain={domain} map={map} now={now} />
    </>
  );
}
