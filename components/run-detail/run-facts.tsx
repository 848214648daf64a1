"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { useNow } from "@/components/i18n/use-now";
import { CostTotalFacts } from "@/components/status/cost-text";
import { Fact } from "@/components/ui/fact";
import { Panel } from "@/components/ui/panel";
import type { RunDetail } from "@/server/runs/run.schema";
import { isResting } from "@/server/runs/run-state.rules";
import { useNextTry } from "./backoff-panel";

const REFRESH_MS = 1_000;

/** Counts, tokens, cost and times of the run. */
export function RunNumbers({ run }: { run: RunDetail }) {
  const { t, formatNumber, formatDuration } = useI18n();
  const now = useNow(REFRESH_MS);
  const { counts, tokens } = run;
  const end = run.endedAt ?? (isResting(run.status) ? run.updatedAt : null);
  const endMs = end === null ? now : Date.parse(end);
  const estimated = tokens.estimated ? t("runDetail.estimated") : undefined;
  const about = tokens.estimated ? "≈ " : "";
  return (
    <Panel title={t("runDetail.counters")}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4">
        <Fact label={t("runDetail.counter.done")}>
          {formatNumber(counts.succeeded)}{" "}
          <span className="text-ink-faint text-xs">{t("runDetail.ofTotal", { total: formatNumber(counts.total) })}</span>
        </Fact>
        <Fact label={t("runDetail.counter.failed")}>{formatNumber(counts.failed)}</Fact>
        <Fact label={t("runDetail.counter.running")}>{formatNumber(counts.running)}</Fact>
        <Fact label={t("runDetail.counter.queued")}>{formatNumber(counts.queued)}</Fact>
        <Fact label={t("runDetail.counter.retries")}>{formatNumber(run.retries)}</Fact>
        <Fact label={t("runDetail.counter.insights")}>{formatNumber(run.insights)}</Fact>
        <Fact label={t("runDetail.counter.prompt")} {...(estimated === undefined ? {} : { title: estimated })}>
          {about}
          {formatNumber(tokens.prompt)}
          <Part word="cachedTokens" count={tokens.cached} />
          <Part word="cacheWriteTokens" count={tokens.cacheWrite} />
        </Fact>
        <Fact label={t("runDetail.counter.completion")} {...(estimated === undefined ? {} : { title: estimated })}>
          {about}
          {formatNumber(tokens.completion)}
          <Part word="reasoningTokens" count={tokens.reasoning} />
        </Fact>
        <Fact label={t("cost.label")}>
          <CostTotalFacts cost={run.cost} />
        </Fact>
        <Fact label={t("runDetail.created")}>
          <RelativeTime value={run.createdAt} />
        </Fact>
        <Fact label={t("runDetail.started")}>{run.startedAt === null ? "–" : <RelativeTime value={run.startedAt} />}</Fact>
        <Fact label={t("runDetail.ended")}>{run.endedAt === null ? "–" : <RelativeTime value={run.endedAt} />}</Fact>
        <Fact label={t("runDetail.duration")}>
          {run.startedAt === null || endMs === null ? "–" : formatDuration(endMs - Date.parse(run.startedAt))}
        </Fact>
      </dl>
    </Panel>
  );
}

/** What a sum of tokens holds, where a provider told it. */
function Part({ word, count }: { word: "cachedTokens" | "cacheWriteTokens" | "reasoningTokens"; count: number }) {
  const { t, formatNumber } = useI18n();
  if (count === 0) return null;
  return <span className="block text-ink-faint text-xs">{t(`chunk.tokens.${word}`, { count: formatNumber(count) })}</span>;
}

/** Queued chunks by what they wait for, with a countdown to the next one. */
export function RunWaits({ run }: { run: RunDetail }) {
  const { t, formatNumber } = useI18n();
  const { slot, backoff } = run.waiting;
  const when = useNextTry(run);
  return (
    <Panel title={t("runDetail.waits")}>
      {slot + backoff === 0 ? (
        <p className="text-ink-soft">{t("runDetail.waits.none")}</p>
      ) : (
        <dl className="grid grid-cols-2 gap-4">
          <Fact label={t("runDetail.waits.slot")}>{formatNumber(slot)}</Fact>
          <Fact label={t("runDetail.waits.backoff")}>
            {formatNumber(backoff)}{" "}
            {when !== null && <span className="text-ink-faint text-xs">{t("runDetail.waits.next", { when })}</span>}
          </Fact>
        </dl>
      )}
    </Panel>
  );
}

/** What the run was told to do. */
export function RunOptionsPanel({ run }: { run: RunDetail }) {
  const { t, formatNumber, formatDuration } = useI18n();
  const { options } = run;
  return (
    <Panel title={t("runDetail.options")}>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        <Fact label={t("runDetail.option.promptVersion")}>{run.promptVersion}</Fact>
        <Fact label={t("runDetail.option.chunkTokens")}>{formatNumber(options.chunkTokens)}</Fact>
        <Fact label={t("runDetail.option.concurrency")}>{formatNumber(options.concurrency)}</Fact>
        <Fact label={t("runDetail.option.maxAttempts")}>{formatNumber(options.maxAttempts)}</Fact>
        <Fact label={t("runDetail.option.maxTokens")}>
          {options.maxTokens === 0 ? t("runDetail.option.maxTokensUnset") : t("runDetail.tokens", { count: options.maxTokens })}
        </Fact>
        <Fact label={t("runDetail.option.repairRounds")}>{formatNumber(options.repairRounds)}</Fact>
        <Fact label={t("runDetail.option.timeoutMs")}>{formatDuration(options.timeoutMs)}</Fact>
        <Fact label={t("runDetail.option.backoffMs")}>{formatDuration(options.backoffMs)}</Fact>
        <Fact label={t("runDetail.option.maxBackoffMs")}>{formatDuration(options.maxBackoffMs)}</Fact>
      </dl>
    </Panel>
  );
}
