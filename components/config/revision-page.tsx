"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, FileDown, FileX, RotateCcw, SquarePen } from "lucide-react";
import dynamic from "next/dynamic";
import Link from "next/link";
import { useRouter, useSearchParams } from "next/navigation";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { useTRPC, useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Badge } from "@/components/ui/badge";
import { Button, ButtonLink } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { ConfirmDialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import { LinkTabs } from "@/components/ui/tabs";
import type { RevisionView } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { LineDiffView } from "./line-diff-view";
import { downloadText } from "./text-file";
import { useNewestRevision } from "./use-newest-revision";

const RevisionDialog = dynamic(() => import("./revision-dialog").then((module) => module.RevisionDialog), { ssr: false });

/** One revision: what it changed, how it differs from now, and its text. `number` is what the address says. */
export function RevisionPage({ number }: { number: string }) {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  const { current } = useConfig();
  const wanted = /^[1-9]\d{0,8}$/.test(number) ? Number(number) : null;
  // Numbers have no gaps: what lies outside is not asked for, a browser would put the refusal into its console.
  const exists = wanted !== null && wanted <= current.number;
  const query = useQuery(
    api.config.revision.queryOptions(
      { number: wanted ?? 1 },
      { enabled: exists && wanted !== current.number, staleTime: Number.POSITIVE_INFINITY },
    ),
  );
  if (!exists) {
    return (
      <EmptyState
        icon={<FileX aria-hidden className="size-8" />}
        title={<h2>{t("config.revisions.unknown", { number })}</h2>}
        actions={<ButtonLink href={paths.config("revisions")}>{t("config.revisions.title")}</ButtonLink>}
      >
        {t("config.revisions.unknownText", { number: current.number })}
      </EmptyState>
    );
  }
  const revision = wanted === current.number ? current : query.data;
  if (revision !== undefined) return <Revision revision={revision} />;
  const problem = query.error === null ? null : errorText(query.error);
  if (problem !== null) {
    return (
      <ErrorState
        title={t("config.revisions.oneFailed", { number })}
        message={`${problem.title} ${problem.detail}`}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <div role="status" aria-label={t("common.loading")}>
      <Skeleton className="h-96" />
    </div>
  );
}

function Revision({ revision }: { revision: RevisionView }) {
  const { t, formatTime } = useI18n();
  const parameters = useSearchParams();
  const { current } = useConfig();
  const shown = parameters.get("show");
  const isNewest = revision.number === current.number;
  const show = shown === "text" || (shown === "current" && !isNewest) ? shown : "previous";
  return (
    <div className="space-y-4">
      <Link href={paths.config("revisions")} className="inline-flex items-center gap-1.5 text-accent hover:underline">
        <ArrowLeft aria-hidden className="size-3.5" />
        {t("config.revisions.title")}
      </Link>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <h2 className="font-semibold text-lg">
            {t("config.revision", { number: revision.number })}{" "}
            {isNewest && <Badge tone="active">{t("config.revisions.newest")}</Badge>}
          </h2>
          <p className="break-words">{serverSentence(t, revision.comment)}</p>
          <p className="break-words text-ink-soft">
            {revision.author} · {t(`config.source.${revision.source}`)} · {formatTime(revision.createdAt)}
            {revision.rolledBackTo !== null && <> · {t("config.revisions.rolledBackTo", { number: revision.rolledBackTo })}</>}
          </p>
        </div>
        <RevisionActions revision={revision} isNewest={isNewest} />
      </div>
      <div className="border-line border-b">
        <LinkTabs
          label={t("config.revisions.views")}
          tabs={[
            {
              href: paths.configRevision(revision.number),
              label: t("config.revisions.toPrevious"),
              current: show === "previous",
            },
            ...(isNewest
              ? []
              : [
                  {
                    href: paths.configRevision(revision.number, { show: "current" }),
                    label: t("config.revisions.toCurrent"),
                    current: show === "current",
                  },
                ]),
            {
              href: paths.configRevision(revision.number, { show: "text" }),
              label: t("config.revisions.text"),
              current: show === "text",
            },
          ]}
        />
      </div>
      {show === "text" && <CodeBlock text={revision.text} label={t("config.yaml.label")} copyLabel={t("config.copyYaml")} wrap />}
      {show === "current" && (
        <Panel title={t("config.merge.change", { from: revision.number, to: current.number })}>
          <LineDiffView before={revision.text} after={current.text} label={t("config.revisions.toCurrent")} />
        </Panel>
      )}
      {show === "previous" && <ToPrevious revision={revision} />}
    </div>
  );
}

function ToPrevious({ revision }: { revision: RevisionView }) {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  const previous = revision.number - 1;
  const query = useQuery(
    api.config.revision.queryOptions({ number: previous }, { enabled: previous > 0, staleTime: Number.POSITIVE_INFINITY }),
  );
  const problem = query.error === null ? null : errorText(query.error);
  if (previous === 0) return <p className="text-ink-soft">{t("config.revisions.first")}</p>;
  if (problem !== null) {
    return (
      <ErrorState
        title={t("config.revisions.oneFailed", { number: previous })}
        message={`${problem.title} ${problem.detail}`}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  if (query.data === undefined) return <Skeleton className="h-64" />;
  return (
    <Panel title={t("config.merge.change", { from: previous, to: revision.number })}>
      <LineDiffView before={query.data.text} after={revision.text} label={t("config.revisions.toPrevious")} />
    </Panel>
  );
}

function RevisionActions({ revision, isNewest }: { revision: RevisionView; isNewest: boolean }) {
  const { t } = useI18n();
  const client = useTRPCClient();
  const router = useRouter();
  const newest = useNewestRevision();
  const { current, draft, replace } = useConfig();
  const [opened, setOpened] = useState<"rollback" | "replace" | null>(null);
  const intoDraft = () => {
    replace(revision.text, current.number);
    router.push(paths.config("yaml"));
  };
  const newestReason = isNewest ? t("config.revisions.isNewest") : null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        size="sm"
        icon={<FileDown aria-hidden className="size-3.5" />}
        onClick={() => downloadText(`switchyard-revision-${revision.number}.yaml`, revision.text)}
      >
        {t("config.download")}
      </Button>
      <Button
        size="sm"
        icon={<SquarePen aria-hidden className="size-3.5" />}
        disabledReason={newestReason}
        onClick={() => (draft === null ? intoDraft() : setOpened("replace"))}
      >
        {t("config.revisions.intoDraft")}
      </Button>
      <Button
        size="sm"
        icon={<RotateCcw aria-hidden className="size-3.5" />}
        disabledReason={newestReason}
        onClick={() => setOpened("rollback")}
      >
        {t("config.revisions.rollBack")}
      </Button>
      <ConfirmDialog
        open={opened === "replace"}
        onOpenChange={(open) => !open && setOpened(null)}
        title={t("config.file.takeTitle")}
        description={t("config.file.takeText")}
        confirmLabel={t("config.revisions.intoDraft")}
        dismissLabel={t("common.keepEditing")}
        onConfirm={intoDraft}
      />
      {opened === "rollback" && (
        <RevisionDialog
          title={t("config.revisions.rollBackTitle", { number: revision.number })}
          description={t("config.revisions.rollBackText", { next: current.number + 1 })}
          confirmLabel={t("config.revisions.rollBack")}
          before={current.text}
          after={revision.text}
          save={(signature) => client.config.rollback.mutate({ to: revision.number, baseRevision: current.number, ...signature })}
          onSaved={(saved) => {
            newest.show(saved);
            toast.success(t("config.revisions.rolledBack", { number: revision.number, saved: saved.number }));
            setOpened(null);
            router.push(paths.config("revisions"));
          }}
          onConflict={() => {
            void newest.ask();
            toast.error(t("config.savedMeanwhileRetry"));
            setOpened(null);
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}
