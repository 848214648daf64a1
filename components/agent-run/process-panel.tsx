"use client";

import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useNow } from "@/components/i18n/use-now";
import { Fact } from "@/components/ui/fact";
import { Panel } from "@/components/ui/panel";
import type { AgentRunDetail } from "@/server/runs/agent-run.schema";
import { turnUnderWay } from "./agent-sentence";

const AGE_REFRESH_MS = 1_000;
/** From this part of the stall limit on, silence is worth a warning. */
const QUIET_PART = 0.5;

/** The process that works for the run, or worked last: whether it lives, and how it ended. */
export function ProcessPanel({ run }: { run: AgentRunDetail }) {
  const { t, formatBytes, formatDuration } = useI18n();
  const { process } = run;
  if (process === null) {
    return (
      <Panel title={t("agentRun.process")}>
        <p className="text-ink-soft">{t("agentRun.process.none")}</p>
      </Panel>
    );
  }
  const { exit } = process;
  const isWorking = exit === null && turnUnderWay(run) !== null;
  // Whoever waits for a person may be silent.
  const isExpected = isWorking && run.waitingFor === null;
  return (
    <Panel title={t("agentRun.process")}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3">
        <Fact label={t("agentRun.process.state")}>
          {t(exit !== null ? "agentRun.process.ended" : isWorking ? "agentRun.process.working" : "agentRun.process.idle")}
        </Fact>
        <Fact label={t("agentRun.process.pid")}>{process.pid}</Fact>
        <Fact label={t("agentRun.process.version")}>{process.version}</Fact>
        <Fact label={t("agentRun.process.stallLimit")}>{formatDuration(process.stallLimitMs)}</Fact>
        <LastEvent process={process} isExpected={isExpected} />
        <Fact label={t("agentRun.process.stdout")}>{formatBytes(process.stdoutBytes)}</Fact>
        <Fact label={t("agentRun.process.stderr")}>{formatBytes(process.stderrBytes)}</Fact>
        {exit !== null && <ExitFacts exit={exit} />}
      </dl>
      <p className="mt-3 text-ink-faint text-xs">{t("agentRun.process.shared")}</p>
    </Panel>
  );
}

type Process = NonNullable<AgentRunDetail["process"]>;

interface LastEventProps {
  process: Process;
  /** A sign of life is expected. */
  isExpected: boolean;
}

function LastEvent({ process, isExpected }: LastEventProps) {
  const { t, formatDuration, formatPercent, formatTime } = useI18n();
  const now = useNow(AGE_REFRESH_MS);
  if (now === null) return <Fact label={t("agentRun.process.lastEvent")}>–</Fact>;
  const age = Math.max(0, now - process.lastEventAt);
  const part = age / process.stallLimitMs;
  const isQuiet = isExpected && part >= QUIET_PART;
  return (
    <Fact label={t("agentRun.process.lastEvent")} title={formatTime(process.lastEventAt)}>
      <span className={isQuiet ? "tone-warning text-tone" : ""}>
        {t("agentRun.process.ago", { duration: formatDuration(age) })}
        {isQuiet && <Line>{t("agentRun.process.quiet", { part: formatPercent(part) })}</Line>}
      </span>
    </Fact>
  );
}

const GROUP_WORDS = {
  true: "agentRun.process.groupYes",
  false: "agentRun.process.groupNo",
  null: "agentRun.process.groupUnknown",
} as const;

function ExitFacts({ exit }: { exit: NonNullable<Process["exit"]> }) {
  const { t } = useI18n();
  const how =
    exit.signal !== null
      ? t("agentRun.process.signal", { signal: exit.signal })
      : exit.code === null
        ? t("agentRun.process.exitUnknown")
        : t("agentRun.process.exitCode", { code: exit.code });
  return (
    <>
      <Fact label={t("agentRun.process.exit")}>{how}</Fact>
      <Fact label={t("agentRun.process.group")}>
        <span className={exit.groupEnded === false ? "tone-danger text-tone" : ""}>{t(GROUP_WORDS[`${exit.groupEnded}`])}</span>
      </Fact>
    </>
  );
}

function Line({ children }: { children: ReactNode }) {
  return <span className="block text-xs">{children}</span>;
}
