"use client";

import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { paths } from "@/components/paths";
import { BreakableName } from "@/components/ui/breakable-name";
import { Fact } from "@/components/ui/fact";
import type { BackendProvider } from "@/server/runs/backend-view.schema";

/** Load, speed, outcomes, and when it was last heard of. */
export function ProviderFacts({ provider }: { provider: BackendProvider }) {
  const { t, formatNumber, formatDuration } = useI18n();
  const { latency, outcomes } = provider;
  const sample = latency.sample === 0 ? t("backends.noAnswers") : t("backends.sample", { count: latency.sample });
  const time = (milliseconds: number | null) =>
    milliseconds === null ? <span className="text-ink-faint">–</span> : formatDuration(milliseconds);
  return (
    <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-4 xl:grid-cols-[repeat(4,minmax(5rem,7rem))_minmax(8rem,11rem)_repeat(2,minmax(0,1fr))]">
      <Fact label={t("backends.inFlight")} title={t("backends.inFlightTitle")}>
        {formatNumber(provider.inFlight)} <span className="text-ink-faint text-xs">/ {formatNumber(provider.limit)}</span>
        <LoadBar inFlight={provider.inFlight} limit={provider.limit} />
      </Fact>
      <Fact label={t("backends.p50")} title={sample}>
        {time(latency.p50)}
      </Fact>
      <Fact label={t("backends.p95")} title={sample}>
        {time(latency.p95)}
      </Fact>
      <Fact label={t("backends.firstToken")} title={sample}>
        {time(latency.firstTokenP50)}
      </Fact>
      <Fact label={t("backends.outcomes")} title={t("backends.outcomesTitle")}>
        {outcomes.succeeded + outcomes.failed === 0 ? (
          <span className="text-ink-faint">{t("backends.noRequests")}</span>
        ) : (
          <>
            {t("backends.succeeded", { count: outcomes.succeeded })}
            {outcomes.failed > 0 && (
              <span className="tone-danger text-tone"> · {t("backends.failed", { count: outcomes.failed })}</span>
            )}
          </>
        )}
      </Fact>
      <Fact label={t("backends.lastSeen")}>
        <LastSeen lastSeen={provider.lastSeen} />
      </Fact>
      <Fact label={t("backends.lastCheck")}>
        <LastCheck health={provider.health} />
      </Fact>
    </dl>
  );
}

function LoadBar({ inFlight, limit }: { inFlight: number; limit: number }) {
  const part = limit === 0 ? 0 : Math.min(1, inFlight / limit);
  return (
    <span aria-hidden className="mt-1 block h-1 max-w-20 overflow-hidden rounded-full bg-sunken">
      <span className="tone-active block h-full bg-tone-mark" style={{ width: `${part * 100}%` }} />
    </span>
  );
}

function LastSeen({ lastSeen }: Pick<BackendProvider, "lastSeen">) {
  const { t } = useI18n();
  if (lastSeen === null) return <span className="text-ink-faint">{t("backends.neverSeen")}</span>;
  const { runId, chunk, model, servedModel, ok, failureKind } = lastSeen;
  return (
    <>
      <Link
        href={paths.chunk(runId, chunk)}
        className="inline-flex items-center rounded-sm underline touch:min-h-9"
        aria-label={t("backends.lastSeenLink", { chunk })}
      >
        <RelativeTime value={lastSeen.at} />
      </Link>
      <span className="block break-words text-xs">
        <span className={ok ? "text-ink-faint" : "tone-danger text-tone"}>
          {ok ? t("backends.answered") : failureKind === null ? t("backends.failedOnce") : t(`failure.short.${failureKind}`)}
        </span>{" "}
        <code className="font-mono text-ink-faint">
          {servedModel === null || servedModel === model ? model : t("backends.servedAs", { model, served: servedModel })}
        </code>
      </span>
    </>
  );
}

function LastCheck({ health }: Pick<BackendProvider, "health">) {
  const { t, formatDuration } = useI18n();
  if (health === null) return <span className="text-ink-faint">{t("backends.neverChecked")}</span>;
  return (
    <>
      <RelativeTime value={health.checkedAt} />
      <span className="block text-ink-faint text-xs">
        {/* What runs say of a provider is no one request whose time could be told. */}
        {health.by === "run"
          ? t("backends.by.run")
          : health.state === "unknown"
            ? t("backends.clearedByOperator")
            : t("backends.checkedBy", { latency: formatDuration(health.latencyMs), by: t(`backends.by.${health.by}`) })}{" "}
        <code className="break-words font-mono">
          <BreakableName name={health.model} />
        </code>
      </span>
    </>
  );
}
