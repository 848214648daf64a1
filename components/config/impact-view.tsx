"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { BreakableName } from "@/components/ui/breakable-name";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { ConfigImpact } from "@/server/runs/config-view.schema";

type Limit = ConfigImpact["limits"][number];

/** Of the runs that keep their revision, these are named. */
const NAMED_RUNS = 5;

/** What a save of the text would change: scenes, providers, and the runs that it does not touch any more. */
export function ImpactView({ text }: { text: string }) {
  const { t } = useI18n();
  const client = useTRPCClient();
  const errorText = useErrorText();
  const query = useQuery({
    queryKey: ["config-impact", text],
    queryFn: ({ signal }) => client.config.impact.mutate({ text }, { signal }),
    gcTime: 0,
    staleTime: 0,
  });
  if (query.isPending) {
    return (
      <div role="status" aria-label={t("common.loading")}>
        <Skeleton className="h-16" />
      </div>
    );
  }
  if (query.isError) {
    const { title, detail } = errorText(query.error);
    return (
      <ErrorState
        title={t("config.impact.failed")}
        message={`${title} ${detail}`}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return <Impact impact={query.data} />;
}

function Impact({ impact }: { impact: ConfigImpact }) {
  const { t } = useI18n();
  const { scenes, providers, prices, limits, runs, runCount } = impact;
  return (
    <div className="space-y-3">
      {scenes.length === 0 && providers.length === 0 && <p className="text-ink-soft">{t("config.impact.nothing")}</p>}
      {scenes.length > 0 && (
        <ul aria-label={t("config.impact.scenes")} className="space-y-1">
          {scenes.map(({ scene, before, after }) => (
            <Change
              key={scene}
              name={scene}
              before={before ?? t("config.impact.noModel")}
              after={after ?? t("config.impact.noModel")}
            />
          ))}
        </ul>
      )}
      {providers.length > 0 && (
        <ul aria-label={t("config.impact.providers")} className="space-y-1">
          {providers.map(({ name, change }) => (
            <li key={name} className="break-all">
              {t(`config.impact.provider.${change}`, { name })}
            </li>
          ))}
        </ul>
      )}
      {prices.length > 0 && (
        <div>
          {/* Unlike all else, they hold for what was asked before. */}
          <p className="text-ink-soft">{t("config.impact.prices")}</p>
          <ul aria-label={t("config.impact.prices")} className="mt-1 space-y-1">
            {prices.map(({ reference, change }) => (
              <li key={reference} className="break-all">
                {t(`config.impact.price.${change}`, { reference })}
              </li>
            ))}
          </ul>
        </div>
      )}
      {limits.length > 0 && (
        <div>
          <p className="text-ink-soft">{t("config.impact.limits")}</p>
          <ul aria-label={t("config.impact.limits")} className="mt-1 space-y-1">
            {limits.map(({ path, before, after }) => (
              <Change
                key={path}
                name={path}
                before={<LimitValue path={path} value={before} />}
                after={<LimitValue path={path} value={after} />}
              />
            ))}
          </ul>
        </div>
      )}
      {runCount > 0 && (
        <div>
          <p className="text-ink-soft">{t("config.impact.runs", { count: runCount })}</p>
          <ul className="mt-1 space-y-0.5 text-xs">
            {runs.slice(0, NAMED_RUNS).map((run) => (
              <li key={run.id} className="break-words">
                <Quiet href={paths.run(run.id)}>{run.name}</Quiet>{" "}
                <span className="text-ink-faint">{t("config.impact.run", { scene: run.scene, revision: run.revision })}</span>
              </li>
            ))}
            {runCount > NAMED_RUNS && (
              <li className="text-ink-faint">
                {t("config.impact.moreRuns", { count: runCount - Math.min(runs.length, NAMED_RUNS) })}
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  );
}

function Change({ name, before, after }: { name: string; before: ReactNode; after: ReactNode }) {
  const { t } = useI18n();
  return (
    <li className="flex flex-wrap items-center gap-x-2">
      <span className="break-words font-medium">
        <BreakableName name={name} />
      </span>
      <span className="break-words text-ink-soft">{before}</span>
      <ArrowRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
      <span className="sr-only">{t("config.impact.becomes")}</span>
      <span className="break-words">{after}</span>
    </li>
  );
}

function LimitValue({ path, value }: { path: Limit["path"]; value: Limit["before"] }) {
  const { t, formatNumber, formatDuration } = useI18n();
  if (value === null) return t("config.impact.all");
  if (typeof value === "boolean") return t(value ? "config.impact.on" : "config.impact.off");
  if (typeof value === "number") return path === "agents.timeoutMs" ? formatDuration(value) : formatNumber(value);
  if (typeof value === "string") return value;
  return value.length === 0 ? t("common.none") : value.join(", ");
}

/** In another window: the dialog around it holds unsaved work. */
function Quiet({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} target="_blank" className="text-accent underline-offset-2 hover:underline">
      {children}
    </Link>
  );
}
