"use client";

import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { AnswerMarks } from "@/components/status/answer-marks";
import { AttemptStatusBadge } from "@/components/status/chunk-status-badge";
import { CostText } from "@/components/status/cost-text";
import { RawMessage } from "@/components/status/raw-message";
import { CodeBlock } from "@/components/ui/code-block";
import { CopyButton } from "@/components/ui/copy-button";
import { UNTOLD_NAME } from "@/server/runs/adopted-answer.rules";
import type { ChunkDetail } from "@/server/runs/run.schema";
import { cutText, rawTextOf, SHOWN_BYTES, sourceOf } from "./artifact-text";
import { AttemptTimingBar } from "./attempt-timing-bar";
import { tokenPartsOf } from "./token-parts";

type Attempt = ChunkDetail["attempts"][number];

/** What happened in one request: where its time went, what it cost, and why it failed. */
export function AttemptPanel({ attempt }: { attempt: Attempt }) {
  const { t, formatNumber } = useI18n();
  const resultBody = attempt.failureKind === null ? null : (attempt.result?.body ?? null);
  const rawText = resultBody === null ? null : rawTextOf(resultBody);
  const parts = tokenPartsOf(attempt);
  const isAdopted = attempt.origin === "import";
  const told = (name: string) => (isAdopted && name === UNTOLD_NAME ? t("chunk.untold") : name);
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
      {isAdopted ? <AdoptedNote resultBody={attempt.result?.body ?? ""} /> : <AttemptTimingBar attempt={attempt} />}
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3 lg:grid-cols-7">
        <Fact label={t("chunks.status")}>
          <span className="flex flex-wrap items-center gap-1">
            <AttemptStatusBadge status={attempt.status} />
            <AnswerMarks answer={attempt} />
          </span>
        </Fact>
        <Fact label={t("chunk.backend")}>
          {told(attempt.backend)}
          {attempt.servedProvider !== null && (
            <span className="block text-ink-faint text-xs">{t("chunk.servedBy", { provider: attempt.servedProvider })}</span>
          )}
        </Fact>
        <Fact label={t("chunk.model")}>
          {told(attempt.model)}
          {attempt.servedModel !== null && attempt.servedModel !== attempt.model && (
            <span className="block text-ink-faint text-xs">{t("chunk.servedModel", { model: attempt.servedModel })}</span>
          )}
        </Fact>
        <Fact label={t("chunk.tokens")} title={attempt.tokensEstimated ? t("chunk.tokensEstimated") : undefined}>
          {tokens === null
            ? "–"
            : `${attempt.tokensEstimated ? "≈ " : ""}${t("chunk.tokensText", { prompt: formatNumber(tokens.prompt), completion: formatNumber(tokens.completion) })}`}
          {parts.map(({ part, count }) => (
            <span key={part} className="block text-ink-faint text-xs">
              {t(`chunk.tokens.${part}`, { count: formatNumber(count) })}
            </span>
          ))}
        </Fact>
        <Fact label={t("cost.label")}>
          <CostText cost={attempt.cost} />
        </Fact>
        <Fact label={t("chunk.finishReason")}>{attempt.finishReason ?? "–"}</Fact>
        <Fact label={t(isAdopted ? "chunk.adoptedAt" : "chunk.timing.claimed")}>
          <RelativeTime value={attempt.claimedAt} />
        </Fact>
      </dl>
      {/* Of an adopted answer the id is a mark of its text, which is of use to nobody. */}
      {!isAdopted && (
        <p className="flex min-w-0 items-center gap-1 text-ink-faint text-xs">
          <span>{t("chunk.requestId")}</span>
          <code className="truncate font-mono" title={attempt.requestId}>
            {attempt.requestId}
          </code>
          <CopyButton value={attempt.requestId} label={t("chunk.copyRequestId")} className="h-5! w-5! touch:h-9! touch:w-9!" />
        </p>
      )}
      {attempt.failureKind !== null && (
        <div className="space-y-2">
          <h2 className="font-semibold text-sm">
            <span className="tone-danger text-tone">
              {t("chunk.failure")}: {t(`failure.title.${attempt.failureKind}`)}
            </span>{" "}
            <code className="font-mono text-ink-faint text-xs">{attempt.failureKind}</code>
          </h2>
          {attempt.errorMessage !== null && (
            <p>
              <span className="text-ink-faint text-xs">{t("runDetail.group.said")}</span>{" "}
              <RawMessage text={attempt.errorMessage} />
            </p>
          )}
          {/* What helps against other answers of this kind does not help against one that ended early. */}
          <p className="text-ink-faint text-xs">
            {isAdopted
              ? t("chunk.adoptedAdvice")
              : attempt.truncated
                ? t("chunk.cutAdvice")
                : t(`failure.advice.${attempt.failureKind}`)}
          </p>
          {rawText !== null && (
            <>
              <h3 className="text-ink-faint text-xs">{t("chunk.rawText")}</h3>
              <CodeBlock text={cutText(rawText, SHOWN_BYTES)} label={t("chunk.rawText")} copyLabel={t("chunk.copyRaw")} />
            </>
          )}
        </div>
      )}
    </section>
  );
}

/** In place of the times that nobody took. */
function AdoptedNote({ resultBody }: { resultBody: string }) {
  const { t } = useI18n();
  const source = sourceOf(resultBody);
  return (
    <p className="text-ink-soft text-xs">
      {t("chunk.adoptedNote")} {source !== null && <span className="break-words">{t("chunk.adoptedFrom", { source })}</span>}
    </p>
  );
}

interface FactProps {
  label: string;
  title?: string | undefined;
  children: ReactNode;
}

function Fact({ label, title, children }: FactProps) {
  return (
    <div className="min-w-0" title={title}>
      <dt className="text-ink-faint text-xs">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  );
}
