"use client";

import { ArrowDownToLine, Download, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useMemo, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button, buttonClass } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { isResting } from "@/server/runs/run-state.rules";
import { rowContext } from "./row-parts";
import { TraceList, type TraceListHandle } from "./trace-list";
import { isErrorRow } from "./trace-row";
import { useAgentRun } from "./use-agent-run";
import { type TraceReading, useTrace } from "./use-trace";
import { WritingLine } from "./writing-line";

/** What was said and done, step by step. The frame around it shows loading and problems of the run. */
export function Conversation({ runId }: { runId: string }) {
  const { data: run } = useAgentRun(runId);
  return run === undefined ? null : <LoadedConversation run={run} />;
}

function LoadedConversation({ run }: { run: AgentRunDetail }) {
  const { t } = useI18n();
  const reading = useTrace(run.id, run.lastSeq);
  const { rows } = reading.trace;
  const isLive = !isResting(run.status);
  const [isFollowing, setFollowing] = useState(isLive);
  // Another turn was ordered: it is what one wants to see now.
  const [wasLive, setWasLive] = useState(isLive);
  if (isLive !== wasLive) {
    setWasLive(isLive);
    if (isLive) setFollowing(true);
  }
  const list = useRef<TraceListHandle>(null);
  const { id, policy, commands } = run;
  const context = useMemo(() => rowContext({ id, policy, commands }), [id, policy, commands]);
  return (
    <div className="rounded-lg border border-line bg-surface shadow-panel">
      <div className="flex flex-wrap items-center gap-2 border-line border-b px-3 py-2">
        <span className="text-ink-faint text-xs tabular-nums">{t("trace.rows", { count: rows.length })}</span>
        <Progress reading={reading} />
        <div className="ml-auto flex flex-wrap gap-2">
          <ErrorJump
            reading={reading}
            onJump={(index) => {
              setFollowing(false);
              list.current?.goTo(index);
            }}
          />
          <Button
            size="sm"
            aria-pressed={isFollowing}
            title={t("trace.followHint")}
            className={isFollowing ? "border-accent! bg-accent-soft!" : ""}
            icon={<ArrowDownToLine aria-hidden className="size-3.5" />}
            onClick={() => setFollowing(!isFollowing)}
          >
            {t("trace.follow")}
          </Button>
          <a href={paths.api.eventLines(run.id)} download className={buttonClass("secondary", "sm")}>
            <Download aria-hidden className="size-3.5" />
            {t("agentRun.download")}
          </a>
        </div>
      </div>
      <Problem reading={reading} />
      {reading.firstSeq > 0 && (
        <p className="border-line border-b px-3 py-1.5 text-ink-faint text-xs">
          {t("trace.older", { count: reading.firstSeq })}{" "}
          <Link href={paths.run(run.id, "events", { seq: 1 })} className="rounded-sm underline">
            {t("trace.olderRaw")}
          </Link>
        </p>
      )}
      {rows.length > 0 ? (
        <TraceList ref={list} rows={rows} context={context} isFollowing={isFollowing} isLive={isLive} onFollow={setFollowing} />
      ) : reading.isComplete ? (
        <p className="px-4 py-8 text-center text-ink-soft">{t("trace.none")}</p>
      ) : (
        reading.error === null && <Skeleton className="m-3 h-40" />
      )}
      {run.status === "running" && run.waitingFor === null && <WritingLine runId={run.id} />}
    </div>
  );
}

function Progress({ reading: { isComplete, error, trace, firstSeq, lastSeq } }: { reading: TraceReading }) {
  const { t, formatNumber } = useI18n();
  if (isComplete || error !== null) return null;
  return (
    <span role="status" className="text-ink-faint text-xs tabular-nums">
      {t("trace.loading", {
        loaded: formatNumber(Math.max(0, trace.lastSeq - firstSeq)),
        total: formatNumber(lastSeq - firstSeq),
      })}
    </span>
  );
}

function Problem({ reading: { error, retry } }: { reading: TraceReading }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  if (error === null) return null;
  const { title, detail } = errorText(error);
  return (
    <div className="p-3">
      <ErrorState title={t("trace.loadFailed")} message={`${title} ${detail}`} onRetry={retry} />
    </div>
  );
}

/** Leads from one thing that went wrong to the next, and round again. */
function ErrorJump({ reading, onJump }: { reading: TraceReading; onJump: (index: number) => void }) {
  const { t } = useI18n();
  const { rows } = reading.trace;
  const errors = useMemo(() => rows.flatMap((row, index) => (isErrorRow(row) ? [{ key: row.key, index }] : [])), [rows]);
  const [last, setLast] = useState<string | null>(null);
  const at = (errors.findIndex(({ key }) => key === last) + 1) % Math.max(1, errors.length);
  const next = errors[at];
  return (
    <Button
      size="sm"
      icon={<TriangleAlert aria-hidden className="size-3.5" />}
      disabledReason={next === undefined ? t("trace.noError") : null}
      onClick={() => {
        if (next === undefined) return;
        setLast(next.key);
        onJump(next.index);
      }}
    >
      {last === null ? t("trace.firstError") : t("trace.nextError", { number: at + 1, count: errors.length })}
    </Button>
  );
}
