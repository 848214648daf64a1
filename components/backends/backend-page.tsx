"use client";

import Link from "next/link";
import { useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { backendAbout, serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { BackendStatusBadge } from "@/components/status/backend-status-badge";
import { errorCodeOf } from "@/components/trpc/error-code";
import { useErrorText } from "@/components/trpc/use-error-text";
import { BreakableName } from "@/components/ui/breakable-name";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Fact } from "@/components/ui/fact";
import { PageTitle } from "@/components/ui/page-title";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import { mayTakeKey } from "@/server/config/backend-kind.rules";
import type { BackendProvider, BackendRow } from "@/server/runs/backend-view.schema";
import { CapabilityMarks, OriginBadge, RuntimeCell, ScoreMarks, TokenizerText } from "./backend-cells";
import { BackendNotFound } from "./backend-not-found";
import { CooldownList } from "./cooldown-list";
import { EvidenceTable } from "./evidence-table";
import { LatestRuns } from "./latest-runs";
import { ProviderEntry } from "./provider-entry";
import { useBackend } from "./use-backends";

/** Everything of one profile. */
export function BackendPage({ profile }: { profile: string }) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const query = useBackend(profile);
  const failure = query.error === null ? null : errorText(query.error);
  // Gone with a revision of the configuration that was saved meanwhile.
  if (errorCodeOf(query.error) === "not_found") return <BackendNotFound profile={profile} />;
  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={`${profile} · ${t("backends.title")}`} />
      {failure !== null && (
        <ErrorState
          title={t(query.data === undefined ? "backends.loadFailed" : "backends.refreshFailed")}
          message={`${failure.title} ${failure.detail}`.trim()}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {query.data === undefined ? failure === null && <BackendSkeleton /> : <BackendLoaded row={query.data} />}
    </div>
  );
}

function BackendLoaded({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  return (
    <>
      <header className="space-y-1">
        <p className="text-ink-faint text-xs">
          <Link href={paths.backends()} className="rounded-sm hover:underline">
            {t("backends.all")}
          </Link>
        </p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 className="min-w-0 break-words font-semibold text-xl tracking-tight">
            <BreakableName name={row.profile} />
          </h1>
          <BackendStatusBadge status={row.status} />
          <OriginBadge origin={row.origin} />
        </div>
        <p className="text-ink-soft">{backendAbout(t, { description: row.description, baseUrl: null })}</p>
        {row.reason !== "" && <p className="break-words">{serverSentence(t, row.reason)}</p>}
      </header>
      <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <ProfileFacts row={row} />
        <CooldownBoard row={row} />
      </div>
      {row.providers.length === 0 ? (
        <Panel title={t("backends.providers")}>
          <EmptyState title={t("backends.noProviders")}>{t("backends.noProvidersText")}</EmptyState>
        </Panel>
      ) : (
        row.providers.map((provider) => <ProviderPanel key={provider.name} provider={provider} row={row} />)
      )}
    </>
  );
}

function ProfileFacts({ row }: { row: BackendRow }) {
  const { t, formatList } = useI18n();
  const keys = row.requiredSecretKeys;
  return (
    <Panel title={t("backends.about")}>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-6 gap-y-4 sm:grid-cols-[minmax(0,1fr)_auto_auto]">
        <dl className="space-y-3 max-sm:col-span-2">
          <Fact label={t("backends.kind")}>
            <code className="font-mono text-xs">{row.backendKind}</code>
          </Fact>
          <Fact label={t("backends.column.runtime")}>
            <RuntimeCell row={row} />
          </Fact>
          <Fact label={t("backends.requiredSecrets")}>
            {keys.length === 0 ? (
              t(mayTakeKey(row.backendKind) ? "keyState.optional" : "keyState.notNeeded")
            ) : (
              <code className="font-mono text-xs">{formatList(keys)}</code>
            )}
          </Fact>
          <Fact label={t("backends.isolation")}>{serverSentence(t, row.isolation)}</Fact>
          <Fact label={t("backends.defaultModel")}>
            {row.defaultModel === null ? (
              <span className="text-ink-faint">{t("backends.noDefaultModel")}</span>
            ) : (
              <code className="font-mono text-xs">{row.defaultModel}</code>
            )}
          </Fact>
        </dl>
        <dl>
          <Fact label={t("backends.capabilities")}>
            <CapabilityMarks row={row} />
          </Fact>
        </dl>
        <dl>
          <Fact label={t("backends.scores")}>
            <ScoreMarks row={row} />
            <TokenizerText row={row} />
          </Fact>
        </dl>
      </div>
    </Panel>
  );
}

/** Every model of the profile that is left alone now. */
function CooldownBoard({ row }: { row: BackendRow }) {
  const { t } = useI18n();
  const board = useRef<HTMLDivElement>(null);
  const cooldowns = row.providers.flatMap((provider) => provider.cooldowns);
  return (
    <Panel title={t("backends.cooldowns")} hint={t("backends.cooldownsHint")}>
      <div ref={board} tabIndex={-1} className="outline-none">
        {cooldowns.length === 0 ? (
          <p className="text-ink-soft">{t("backends.noCooldowns")}</p>
        ) : (
          <CooldownList cooldowns={cooldowns} onCleared={() => board.current?.focus()} />
        )}
      </div>
    </Panel>
  );
}

function ProviderPanel({ provider, row }: { provider: BackendProvider; row: BackendRow }) {
  const { t } = useI18n();
  return (
    <section
      aria-label={t("backends.provider", { provider: provider.name })}
      className="space-y-5 rounded-lg border border-line bg-surface p-4 shadow-panel"
    >
      <ProviderEntry provider={provider} kind={row.backendKind} isAlone heading="h2" />
      <EvidenceTable provider={provider} row={row} />
      <LatestRuns provider={provider.name} />
    </section>
  );
}

function BackendSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("backends.loading")} className="space-y-4">
      <Skeleton className="h-16 w-96 max-w-full" />
      <Skeleton className="h-56 w-full" />
      <Skeleton className="h-96 w-full" />
    </div>
  );
}
