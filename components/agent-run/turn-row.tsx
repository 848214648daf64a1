"use client";

import { useQuery } from "@tanstack/react-query";
import { Ban, Check, CircleDashed, CircleSlash, CircleStop, type LucideIcon, OctagonAlert, Play, X } from "lucide-react";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTextOfNow } from "@/components/i18n/use-now";
import { paths } from "@/components/paths";
import { moneyText } from "@/components/status/cost-text";
import { RawMessage } from "@/components/status/raw-message";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import type { Tone } from "@/components/ui/tone";
import { PROMPT_PREVIEW } from "@/server/runs/agent-run.rules";
import { type RowContext, RowLine } from "./row-parts";
import type { EndRow, TurnRow } from "./trace-row";

const LOOKS = {
  queued: { icon: CircleDashed, tone: "neutral" },
  running: { icon: Play, tone: "active" },
  completed: { icon: Check, tone: "success" },
  failed: { icon: X, tone: "danger" },
  cancelled: { icon: CircleStop, tone: "cancelled" },
  blocked: { icon: OctagonAlert, tone: "danger" },
  dropped: { icon: CircleSlash, tone: "cancelled" },
} as const satisfies Record<TurnRow["status"], { icon: LucideIcon; tone: Tone }>;

const DURATION_REFRESH_MS = 1_000;

/** Where a turn begins: which one, how it stands, and what was asked. */
export function TurnRowView({ row, context }: { row: TurnRow; context: RowContext }) {
  const i18n = useI18n();
  const { t, formatDuration, formatTime, formatClock, formatNumber } = i18n;
  const { icon: Icon, tone } = LOOKS[row.status];
  const command = context.commands.get(row.commandId);
  const isCut = row.prompt.length > PROMPT_PREVIEW;
  const tokens = command?.tokens ?? null;
  return (
    <div className="px-3 pt-4 pb-2">
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
        <h3 className="font-semibold text-sm">{t("trace.turn", { number: row.number })}</h3>
        <Badge
          tone={tone}
          icon={<Icon aria-hidden className="size-3" />}
          title={row.status === "dropped" ? t("trace.turn.droppedHint") : undefined}
        >
          {t(`trace.turn.${row.status}`)}
        </Badge>
        <span className="flex flex-wrap gap-x-2.5 text-ink-faint text-xs tabular-nums">
          <time dateTime={row.startedAt ?? row.ts} title={formatTime(row.startedAt ?? row.ts)}>
            {formatClock(row.startedAt ?? row.ts)}
          </time>
          {row.startedAt !== null &&
            (row.endedAt === null ? (
              <RunningFor since={row.startedAt} />
            ) : (
              <span>{formatDuration(Date.parse(row.endedAt) - Date.parse(row.startedAt))}</span>
            ))}
          {tokens !== null && (
            <span>
              {t("agentRun.tokens", { prompt: formatNumber(tokens.prompt), completion: formatNumber(tokens.completion) })}
            </span>
          )}
          {command?.cost.state === "known" && <span>{moneyText(i18n, command.cost)}</span>}
          {command?.cost.state === "unknown" && (
            <span title={t(`cost.reason.${command.cost.reason}`)}>
              {t("cost.label")}: {t("cost.unknown")}
            </span>
          )}
        </span>
      </div>
      {row.prompt !== "" && (
        <div className="mt-2 rounded-lg bg-accent-soft px-3 py-2">
          {isCut && command?.promptId ? (
            <LongPrompt runId={context.runId} promptId={command.promptId} preview={row.prompt} />
          ) : (
            <p className="whitespace-pre-wrap break-words">{row.prompt}</p>
          )}
        </div>
      )}
    </div>
  );
}

function RunningFor({ since }: { since: string }) {
  const { formatDuration } = useI18n();
  const text = useTextOfNow(DURATION_REFRESH_MS, (now) => formatDuration(now - Date.parse(since)));
  return <span suppressHydrationWarning>{text}</span>;
}

interface LongPromptProps {
  runId: string;
  promptId: string;
  preview: string;
}

/** The event has its beginning only; the whole is an artifact. */
function LongPrompt({ runId, promptId, preview }: LongPromptProps) {
  const { t } = useI18n();
  const [isWanted, setWanted] = useState(false);
  const query = useQuery({
    queryKey: ["artifact-text", runId, promptId],
    queryFn: async () => {
      const response = await fetch(paths.api.artifact(runId, promptId));
      if (!response.ok) throw new Error(`the artifact was answered with ${response.status}`);
      return response.text();
    },
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <p className="max-h-96 overflow-y-auto whitespace-pre-wrap break-words">{query.data ?? preview}</p>
      {query.data === undefined && (
        <Button
          size="sm"
          variant="ghost"
          className="mt-1 -ml-2.5"
          pending={isWanted && query.isFetching}
          onClick={() => (query.isError ? void query.refetch() : setWanted(true))}
        >
          {t("trace.turn.wholePrompt")}
        </Button>
      )}
      {query.isError && <p className="tone-danger text-tone text-xs">{t("trace.turn.promptFailed")}</p>}
    </>
  );
}

const END_ICONS = { completed: Check, failed: X, cancelled: CircleStop, blocked: Ban } as const satisfies Record<
  EndRow["status"],
  LucideIcon
>;

/** How the turn ended; quiet when all went well. */
export function EndRowView({ row }: { row: EndRow }) {
  const { t, formatDuration } = useI18n();
  const { status, failureKind, message, milliseconds } = row;
  const isLoud = status === "failed" || status === "blocked";
  return (
    <RowLine
      icon={END_ICONS[status]}
      tone={LOOKS[status].tone}
      facts={milliseconds !== null && <span>{formatDuration(milliseconds)}</span>}
    >
      <p className={isLoud ? "tone-danger font-medium text-tone text-xs leading-5" : "text-ink-faint text-xs leading-5"}>
        {t(`trace.end.${status}`, { number: row.number })}
        {isLoud && failureKind !== null && ` · ${t(`failure.title.${failureKind}`)}`}
      </p>
      {message !== null && <RawMessage text={message} className="block text-xs" />}
    </RowLine>
  );
}
