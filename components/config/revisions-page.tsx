"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RelativeTime } from "@/components/i18n/relative-time";
import { serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import type { RevisionSummary } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";

const PAGE = 50;

/** Every revision, newest first. */
export function RevisionsPage() {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  const { current } = useConfig();
  const query = useInfiniteQuery(
    api.config.revisions.infiniteQueryOptions({ limit: PAGE }, { getNextPageParam: (page) => page.nextBefore }),
  );
  const revisions = query.data?.pages.flatMap((page) => page.items) ?? [];
  const problem = query.error === null ? null : errorText(query.error);
  return (
    <Panel title={t("config.revisions.title")} hint={t("config.revisions.hint")} flush>
      {problem && (
        <div className="p-4">
          <ErrorState
            title={t("config.revisions.failed")}
            message={`${problem.title} ${problem.detail}`}
            retrying={query.isFetching}
            onRetry={() => void query.refetch()}
          />
        </div>
      )}
      {query.isPending && (
        <div role="status" aria-label={t("common.loading")} className="space-y-2 p-4">
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
          <Skeleton className="h-10" />
        </div>
      )}
      <ol aria-label={t("config.revisions.title")} className="divide-y divide-line">
        {revisions.map((revision) => (
          <RevisionItem key={revision.number} revision={revision} isNewest={revision.number === current.number} />
        ))}
      </ol>
      {query.hasNextPage && (
        <div className="p-3 text-center">
          <Button size="sm" pending={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {t("config.revisions.more")}
          </Button>
        </div>
      )}
    </Panel>
  );
}

function RevisionItem({ revision, isNewest }: { revision: RevisionSummary; isNewest: boolean }) {
  const { t, formatBytes } = useI18n();
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 focus-within:bg-hover hover:bg-hover">
      <Link
        href={paths.configRevision(revision.number)}
        className="min-w-24 font-medium after:absolute after:inset-0"
        aria-label={t("config.revisionBy", { number: revision.number, author: revision.author })}
      >
        {t("config.revision", { number: revision.number })}
      </Link>
      <span className="min-w-0 flex-1 basis-60 break-words">
        {revision.comment === "" ? (
          <span className="text-ink-faint">{t("config.revisions.noComment")}</span>
        ) : (
          serverSentence(t, revision.comment)
        )}
        {revision.rolledBackTo !== null && (
          <span className="ml-2 text-ink-soft">{t("config.revisions.rolledBackTo", { number: revision.rolledBackTo })}</span>
        )}
      </span>
      <span className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-soft text-xs">
        {isNewest && <Badge tone="active">{t("config.revisions.newest")}</Badge>}
        <span className="break-all">{revision.author}</span>
        <span>{t(`config.source.${revision.source}`)}</span>
        <span className="tabular-nums">{formatBytes(revision.bytes)}</span>
        <RelativeTime value={revision.createdAt} />
      </span>
    </li>
  );
}
