"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { useNow } from "@/components/i18n/use-now";
import { ATTEMPT_STATUS_STYLE } from "@/components/status/status-table";
import { classNames } from "@/components/ui/class-names";
import { PATTERN_CLASS, type Pattern, TONE_CLASS, type Tone } from "@/components/ui/tone";
import type { AttemptSummary } from "@/server/runs/run.schema";
import { type Phase, type PhaseKind, phasesOf } from "./attempt-timing";

const REFRESH_MS = 1_000;

/** As the timeline draws them: hollow while it waits, light until the first token, full while it answers. */
const PHASE_STYLE = {
  waiting: { word: "chunk.timing.waiting", tone: "waiting", pattern: "hollow" },
  sending: { word: "chunk.timing.sending", tone: "active", pattern: "outlined" },
  generating: { word: "chunk.timing.generating", tone: "active", pattern: "solid" },
  request: { word: "chunk.timing.request", tone: "active", pattern: "solid" },
} as const satisfies Record<PhaseKind, { word: MessageKey; tone: Tone; pattern: Pattern }>;

/** Where the time of an attempt went, as a bar and in words. */
export function AttemptTimingBar({ attempt }: { attempt: AttemptSummary }) {
  return attempt.endedAt === null ? <RunningBar attempt={attempt} /> : <Bar attempt={attempt} now={0} />;
}

function RunningBar({ attempt }: { attempt: AttemptSummary }) {
  const now = useNow(REFRESH_MS);
  return <Bar attempt={attempt} now={now ?? 0} />;
}

function Bar({ attempt, now }: { attempt: AttemptSummary; now: number }) {
  const { t, formatDuration } = useI18n();
  const { phases, total } = phasesOf(attempt, now);
  return (
    <figure aria-label={t("chunk.timing.bar")}>
      <div aria-hidden className="flex h-3 w-full gap-px overflow-hidden rounded-sm bg-sunken">
        {phases.map((phase) => (
          <span
            key={phase.kind}
            className={phaseClass(phase, attempt)}
            style={{ width: `${total === 0 ? 0 : (phase.milliseconds / total) * 100}%` }}
          />
        ))}
      </div>
      <figcaption className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-ink-soft text-xs tabular-nums">
        {phases.map((phase) => (
          <span key={phase.kind} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={classNames("h-2.5 w-4 rounded-xs", phaseClass(phase, attempt))} />
            {t(PHASE_STYLE[phase.kind].word)} {formatDuration(phase.milliseconds)}
            {phase.open && ` ${t("chunk.timing.growing")}`}
          </span>
        ))}
        <span className="text-ink">
          {t("chunk.timing.total")} {formatDuration(total)}
        </span>
      </figcaption>
    </figure>
  );
}

/** The last phase of an attempt that has ended looks like its outcome. */
function phaseClass(phase: Phase, attempt: AttemptSummary): string {
  const style = PHASE_STYLE[phase.kind];
  const isOutcome = attempt.endedAt !== null && style.pattern === "solid";
  const { tone, pattern } = isOutcome ? ATTEMPT_STATUS_STYLE[attempt.status] : style;
  return classNames(TONE_CLASS[tone], PATTERN_CLASS[pattern]);
}
