"use client";

import { useQuery } from "@tanstack/react-query";
import { Ban, Check, CircleHelp, CircleStop, Hourglass, type LucideIcon, Play, Unplug, X, ZapOff } from "lucide-react";
import { type I18n, useI18n } from "@/components/i18n/i18n-provider";
import { useTextOfNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { CodeBlock } from "@/components/ui/code-block";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import { TONE_CLASS, type Tone } from "@/components/ui/tone";
import { shownCommand, shownPath } from "./command-text";
import { KeptTextView, WholeLink } from "./kept-text";
import { numberOf, textOf } from "./payload-fields";
import { plainOutput } from "./plain-output";
import { OpeningRow, type RowContext } from "./row-parts";
import type { AskedApproval, ToolRow, ToolState } from "./trace-row";
import { useAgentCommand } from "./use-agent-command";

const LOOKS = {
  running: { icon: Play, tone: "active" },
  ok: { icon: Check, tone: "success" },
  failed: { icon: X, tone: "danger" },
  declined: { icon: Ban, tone: "cancelled" },
  still_running: { icon: Hourglass, tone: "waiting" },
  process_ended: { icon: ZapOff, tone: "cancelled" },
  unknown: { icon: Unplug, tone: "warning" },
} as const satisfies Record<ToolState, { icon: LucideIcon; tone: Tone }>;

const ELAPSED_REFRESH_MS = 1_000;
/** Outputs looked through for the one that follows a call: others of the same moment may stand between. */
const OUTPUTS_AFTER = 5;

interface ToolRowViewProps {
  row: ToolRow;
  context: RowContext;
  isOpen: boolean;
  onToggle: () => void;
}

/** A call: what was run, how it went, how long it took, what it printed. */
export function ToolRowView({ row, context, isOpen, onToggle }: ToolRowViewProps) {
  const i18n = useI18n();
  const { t, formatBytes, formatDuration } = i18n;
  const { state, exitCode, milliseconds, bytes, approval } = row;
  const isAsked = state === "running" && approval?.status === "pending";
  const look = isAsked ? ({ icon: CircleHelp, tone: "warning" } as const) : LOOKS[state];
  const command = row.command === null ? row.toolName : shownCommand(row.command);
  const word = isAsked ? t("trace.tool.waits") : t(`trace.tool.${state}`);
  return (
    <OpeningRow
      icon={look.icon}
      tone={look.tone}
      isOpen={isOpen}
      onToggle={onToggle}
      facts={
        <>
          {/* That it went well is said by its mark; for those who do not see it, in a word. */}
          <span className={state === "ok" ? "sr-only" : classNames("font-medium text-tone", TONE_CLASS[look.tone])}>{word}</span>
          {approval !== null && approval.status !== "pending" && <span>{approvalWords(i18n, approval)}</span>}
          {exitCode !== null && exitCode !== 0 && <span>{t("trace.tool.exit", { code: exitCode })}</span>}
          {bytes !== null && bytes > 0 && <span>{formatBytes(bytes)}</span>}
          {milliseconds !== null ? (
            <span>{formatDuration(milliseconds)}</span>
          ) : (
            state === "running" && <Elapsed since={row.ts} />
          )}
        </>
      }
      body={() => <ToolDetails row={row} context={context} command={command} />}
    >
      <code className="block truncate font-mono text-xs leading-5" title={command}>
        {command}
      </code>
    </OpeningRow>
  );
}

/** What became of a question. */
export function approvalWords({ t }: Pick<I18n, "t">, { status, by }: AskedApproval): string {
  const answer = t(`trace.approval.${status}`);
  return by === null ? answer : t("trace.approval.by", { answer, name: by });
}

function Elapsed({ since }: { since: string }) {
  const { formatDuration } = useI18n();
  const text = useTextOfNow(ELAPSED_REFRESH_MS, (now) => formatDuration(now - Date.parse(since)));
  return <span suppressHydrationWarning>{text}</span>;
}

function ToolDetails({ row, context, command }: { row: ToolRow; context: RowContext; command: string }) {
  const { t } = useI18n();
  const { cwd, endSeq, bytes, state } = row;
  return (
    <>
      {row.command !== null && (
        <CodeBlock
          text={row.command}
          label={t("trace.tool.commandOf", { seq: row.seq })}
          copyLabel={t("trace.tool.copyCommand")}
        />
      )}
      {cwd !== null && cwd !== context.workspace && (
        <p className="break-all text-ink-faint text-xs">{t("trace.tool.cwd", { folder: shownPath(cwd, context.workspace) })}</p>
      )}
      {state === "still_running" && <EndCommands runId={context.runId} />}
      {endSeq === null ? (
        <p className="text-ink-faint text-xs">
          {t(state === "process_ended" ? "trace.tool.outputLost" : "trace.tool.outputLater")}
        </p>
      ) : bytes === null || bytes === 0 ? (
        <p className="text-ink-faint text-xs">{t("trace.tool.noOutput")}</p>
      ) : (
        <Output runId={context.runId} itemId={row.itemId} endSeq={endSeq} bytes={bytes} command={command} />
      )}
    </>
  );
}

/** The runtime ends all of a conversation's commands together, so the words say all. */
function EndCommands({ runId }: { runId: string }) {
  const { t } = useI18n();
  const interrupt = useAgentCommand(runId, { done: "trace.tool.endedStillRunning" });
  return (
    <Button
      size="sm"
      icon={<CircleStop aria-hidden className="size-3.5" />}
      pending={interrupt.isPending}
      onClick={() => interrupt.mutate({ id: runId, order: { type: "interrupt" } })}
    >
      {t("trace.tool.endStillRunning")}
    </Button>
  );
}

interface OutputProps {
  runId: string;
  itemId: string;
  endSeq: number;
  bytes: number;
  command: string;
}

/** Read when it is looked at: outputs are the larger part of a trace. */
function Output({ runId, itemId, endSeq, bytes, command }: OutputProps) {
  const { t, formatBytes } = useI18n();
  const api = useTRPC();
  const query = useQuery(
    api.events.list.queryOptions(
      { runId, afterSeq: endSeq, limit: OUTPUTS_AFTER, types: ["command_output"] },
      { staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  if (query.isPending) {
    return (
      <div role="status" aria-label={t("trace.output.loading")}>
        <Skeleton className="h-16 w-full" />
      </div>
    );
  }
  if (query.isError) {
    return (
      <ErrorState title={t("trace.output.failed")} message="" retrying={query.isFetching} onRetry={() => void query.refetch()} />
    );
  }
  const output = query.data.items.find(({ payload }) => payload.itemId === itemId);
  if (output === undefined) return <p className="text-ink-faint text-xs">{t("trace.output.gone")}</p>;
  const keptBytes = numberOf(output.payload, "keptBytes");
  return (
    <>
      <KeptTextView
        text={plainOutput(textOf(output.payload, "text") ?? "")}
        isCut={output.truncated}
        label={t("trace.output", { command })}
        copyLabel={t("trace.output.copy")}
      />
      {output.artifactId !== null && (
        <WholeLink href={paths.api.artifact(runId, output.artifactId)}>
          {keptBytes === null
            ? t("trace.output.whole", { bytes: formatBytes(bytes) })
            : t("trace.output.kept", { kept: formatBytes(keptBytes), bytes: formatBytes(bytes) })}
        </WholeLink>
      )}
    </>
  );
}
