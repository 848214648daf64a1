"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { usePathname, useRouter } from "next/navigation";
import { type ReactNode, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { CONFIG_TABS, paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { ErrorState } from "@/components/ui/error-state";
import { PageTitle } from "@/components/ui/page-title";
import { Skeleton } from "@/components/ui/skeleton";
import { LinkTabs } from "@/components/ui/tabs";
import { ConfigBanners } from "./config-banners";
import { ConfigHeader } from "./config-header";
import { type ConfigState, ConfigStateProvider } from "./config-state";
import type { DocumentChoice } from "./document-choice";
import { useConfigDraft } from "./use-config-draft";
import { useEvaluation } from "./use-evaluation";

/** How often a visible page looks for revisions of others. */
const LOOK_EVERY_MS = 15_000;

const SaveDialog = dynamic(() => import("./save-dialog").then((module) => module.SaveDialog), { ssr: false });

/** What all tabs of the configuration stand in: the newest revision, the draft over it, and what is wrong with it. */
export function ConfigFrame({ children }: { children: ReactNode }) {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  const query = useQuery(
    api.config.current.queryOptions(undefined, { refetchInterval: LOOK_EVERY_MS, refetchOnWindowFocus: true }),
  );
  if (query.data !== undefined) {
    const problem = query.error === null ? null : errorText(query.error);
    return (
      <ConfigLoaded current={query.data}>
        {problem && (
          <ErrorState
            title={t("config.loadFailed")}
            message={`${problem.title} ${t("config.draftSafe")}`}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {children}
      </ConfigLoaded>
    );
  }
  if (query.error === null) return <ConfigSkeleton />;
  const { title, detail } = errorText(query.error);
  return (
    <div className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={t("config.title")} />
      <h1 className="font-semibold text-xl tracking-tight">{t("config.title")}</h1>
      <ErrorState
        title={t("config.loadFailed")}
        message={`${title} ${detail}`}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    </div>
  );
}

function ConfigLoaded({ current, children }: { current: ConfigState["current"]; children: ReactNode }) {
  const { t, formatNumber } = useI18n();
  const errorText = useErrorText();
  const router = useRouter();
  const pathname = usePathname();
  const [isSaving, setIsSaving] = useState(false);
  const draftState = useConfigDraft(current);
  const { draft, text, changedBy } = draftState;
  const choice: DocumentChoice = draft === null ? { revision: current.number } : { text };
  const { query, isOutdated } = useEvaluation(choice, changedBy === "typing");
  const isStale = draft !== null && draft.baseRevision !== current.number;
  const state: ConfigState = {
    ...draftState,
    current,
    choice,
    evaluation: query.data,
    isOutdated,
    isStale,
    // A place is only known while what is on screen is what the text says.
    editPlace: (edits) => {
      if (!isOutdated) draftState.editPlace(edits);
    },
    openSave: () => {
      if (isStale) router.push(paths.configMerge());
      else setIsSaving(true);
    },
  };
  const isTab = (tab: (typeof CONFIG_TABS)[number]) =>
    pathname === paths.config(tab) || (tab === "revisions" && pathname.startsWith(`${paths.config("revisions")}/`));
  const currentTab = CONFIG_TABS.find(isTab);
  const counts = {
    models: query.data?.scenes.length,
    providers: query.data?.providers.length,
    prices: query.data?.prices.length || undefined,
    limits: undefined,
    yaml: query.data?.problems.length || undefined,
    revisions: current.number,
  };
  const problem = query.error === null ? null : errorText(query.error);
  return (
    <ConfigStateProvider value={state}>
      <div className="mx-auto max-w-screen-2xl space-y-4">
        <PageTitle
          title={`${draft === null ? "" : "● "}${t("config.title")} · ${t(currentTab === undefined ? "config.merge.title" : `config.tab.${currentTab}`)}`}
        />
        <ConfigHeader />
        <ConfigBanners />
        <div className="border-line border-b">
          <LinkTabs
            label={t("config.tabs")}
            tabs={CONFIG_TABS.map((tab) => ({
              href: paths.config(tab),
              label: t(`config.tab.${tab}`),
              current: tab === currentTab,
              extra:
                counts[tab] === undefined ? null : (
                  <span className="text-ink-faint text-xs tabular-nums">{formatNumber(counts[tab])}</span>
                ),
            }))}
          />
        </div>
        {problem && (
          <ErrorState
            title={t("config.evaluateFailed")}
            message={`${problem.title} ${t("config.draftSafe")}`}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        )}
        {children}
      </div>
      {isSaving && <SaveDialog onClose={() => setIsSaving(false)} />}
    </ConfigStateProvider>
  );
}

function ConfigSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("common.loading")} className="mx-auto max-w-screen-2xl space-y-4">
      <PageTitle title={t("config.title")} />
      <Skeleton className="h-7 w-56" />
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-96 w-full" />
    </div>
  );
}
