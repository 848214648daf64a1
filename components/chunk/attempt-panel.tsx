"use client";

import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { useNow } from "@/components/i18n/use-now";
import { AttemptStatusBadge } from "@/components/status/chunk-status-badge";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { rawTextOf } from "./artifact-text";

type Attempt = ChunkDetail["attempts"][number];
const REFRESH_MS = 1_000;

/** What happened in one request: where its time went, what it cost, and why it failed. */
export function AttemptPanel({ attempt }: { attempt: Attempt }) {
  const { t, formatNumber } = useI18n();
  const rawText = attempt.failureKind === null ? null : rawTextOf(attempt.result?.body);
  const tokens =
    attempt.promptTokens === null || attempt.completionTokens === null
      ? null
      : { prompt: attempt.promptTokens, completion: attempt.completionTokens };
  return (
    <section
      id="attempt-panel"
      role="tabpanel"
      aria-labelledby={`attempt-tab-${attempt.number}`}
      className="space-y-4 rounded-lg border border-line bg-surface p-4 shadow-panel"
    >
      <Timing attempt={attempt} />
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-6">
        <Fact label={t("chunks.status")}>
          <AttemptStatusBadge status={attempt.status} />
        </Fact>
        <Fact label={t("chunk.backend")}>{attempt.backend}</Fact>
        <Fact label={t("chunk.model")}>
          {attempt.model}
          {attempt.servedModel !== null && attempt.servedModel !== attempt.model && (
            <span className="block text-ink-faint text-xs">{t("chunk.servedModel", { model: attempt.servedModel })}</span>
          )}
        </Fact>
        <Fact label={t("chunk.tokens")}>
          {tokens === null
            ? "–"
            : `${attempt.tokensEstimated ? "≈ " : ""}${t("chunk.tokensText", { prompt: formatNumber(tokens.prompt), completion: formatNumber(tokens.completion) })}`}
        </Fact>
        <Fact label={t("chunk.finishReason")}>{attempt.finishReason ?? "–"}</Fact>
        <Fact label={t("chunk.timing.claimed")}>
          <RelativeTime value={attempt.claimedAt} />
        </Fact>
      </dl>
      <p className="flex min-w-0 items-center gap-1 text-ink-faint text-xs">
        <span>{t("chunk.requestId")}</span>
        <code className="truncate font-mono" title={attempt.requestId}>
          {attempt.requestId}
        </code>
        <CopyButton value={attempt.requestId} label={t("chunk.copyRequestId")} className="h-5! w-5! touch:h-9! touch:w-9!" />
      </p>
      {attempt.failureKind !== null && (
        <div className="space-y-2">
          <h2 className="font-semibold text-sm">
            {t("chunk.failure")}: {t(`failure.title.${attempt.failureKind}`)}{" "}
            <code className="font-mono text-ink-faint text-xs">{attempt.failureKind}</code>
          </h2>
          <p className="break-words">{attempt.errorMessage}</p>
          <p className="text-ink-faint text-xs">{t(`failure.advice.${attempt.failureKind}`)}</p>
          {rawText !== null && (
            <>
              <h3 className="text-ink-faint text-xs">{t("chunk.rawText")}</h3>
              <CodeBlock
                text={rawText}
                label={t("chunk.rawText")}
                copyLabel={t("chunk.copyBody", { name: t("chunk.rawText") })}
              />
            </>
          )}
        </div>
      )}
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-faint text-xs">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  );
}

/** The three phases of an attempt as one bar, with the same in words below. */
function Timing({ attempt }: { attempt: Attempt }) {
  const { t, formatDuration } = useI18n();
  const now = useNow(REFRESH_MS);
  const claimed = Date.parse(attempt.claimedAt);
  const end = attempt.endedAt === null ? (now ?? claimed) : Date.parse(attempt.endedAt);
  const started = attempt.startedAt === null ? end : Date.parse(attempt.startedAt);
  const firstToken = attempt.firstTokenAt === null ? end : Date.parse(attempt.firstTokenAt);
  const phases = [
    { key: "waiting", label: t("chunk.timing.waiting"), length: started - claimed, look: "tone-waiting pattern-hollow" },
    { key: "sending", label: t("chunk.timing.sending"), length: firstToken - started, look: "tone-active bg-tone-soft" },
    { key: "generating", label: t("chunk.timing.generating"), length: end - firstToken, look: "tone-active bg-tone-mark" },
  ].map((phase) => ({ ...phase, length: Math.max(0, phase.length) }));
  const total = phases.reduce((sum, phase) => sum + phase.length, 0);
  return (
    <div>
      <div aria-hidden className="flex h-3 w-full overflow-hidden rounded-sm bg-sunken">
        {phases.map((phase) => (
          <span key={phase.key} className={phase.look} style={{ width: `${total === 0 ? 0 : (phase.length / total) * 100}%` }} />
        ))}
      </div>
      <p className="mt-1 flex flex-wrap gap-x-4 text-ink-faint text-xs tabular-nums">
        {phases.map((phase) => (
          <span key={phase.key}>
            {phase.label} {formatDuration(phase.length)}
          </span>
        ))}
        <span>
          {t("chunk.timing.total")} {formatDuration(total)}
        </span>
      </p>
    </div>
  );
}
