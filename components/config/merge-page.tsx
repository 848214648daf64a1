"use client";

import { useQuery } from "@tanstack/react-query";
import { GitMerge } from "lucide-react";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button, ButtonLink } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { EmptyState } from "@/components/ui/empty-state";
import { ErrorState } from "@/components/ui/error-state";
import { Panel } from "@/components/ui/panel";
import { Skeleton } from "@/components/ui/skeleton";
import { useConfig } from "./config-state";
import { LineDiffView } from "./line-diff-view";
import { mergeTexts } from "./merge-texts";

const MergeEditor = dynamic(() => import("./merge-editor").then((module) => module.MergeEditor), {
  ssr: false,
  loading: () => <Skeleton className="h-full" />,
});

/** The draft was started on a revision that is not the newest any more: mine, theirs, and what both came from. */
export function MergePage() {
  const { t } = useI18n();
  const { draft, isStale } = useConfig();
  if (draft === null || !isStale) {
    return (
      <div className="rounded-lg border border-line bg-surface shadow-panel">
        <EmptyState
          icon={<GitMerge aria-hidden className="size-8" />}
          title={t("config.merge.nothing")}
          actions={<ButtonLink href={paths.config("yaml")}>{t("config.tab.yaml")}</ButtonLink>}
        >
          {t(draft === null ? "config.merge.noDraft" : "config.merge.onNewest")}
        </EmptyState>
      </div>
    );
  }
  return <ThreeWay baseRevision={draft.baseRevision} mine={draft.text} />;
}

function ThreeWay({ baseRevision, mine }: { baseRevision: number; mine: string }) {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  const { current, type } = useConfig();
  // A base that this server never had (its store was put back) is not asked for.
  const isKnown = baseRevision < current.number;
  const query = useQuery(
    api.config.revision.queryOptions({ number: baseRevision }, { enabled: isKnown, staleTime: Number.POSITIVE_INFINITY }),
  );
  const base = query.data;
  const problem = query.error === null ? null : errorText(query.error);
  return (
    <div className="space-y-4">
      <Choices mine={mine} baseText={isKnown ? (base?.text ?? null) : mine} baseRevision={baseRevision} />
      {problem && (
        <ErrorState
          title={t("config.merge.baseFailed", { number: baseRevision })}
          message={`${problem.title} ${problem.detail}`}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {isKnown && (
        <div className="grid gap-4 lg:grid-cols-2">
          <Panel
            title={t("config.merge.theirChanges")}
            hint={t("config.merge.change", { from: baseRevision, to: current.number })}
          >
            {base === undefined ? (
              <Skeleton className="h-24" />
            ) : (
              <LineDiffView
                before={base.text}
                after={current.text}
                label={t("config.merge.change", { from: baseRevision, to: current.number })}
              />
            )}
          </Panel>
          <Panel title={t("config.merge.myChanges")} hint={t("config.merge.changeMine", { from: baseRevision })}>
            {base === undefined ? (
              <Skeleton className="h-24" />
            ) : (
              <LineDiffView before={base.text} after={mine} label={t("config.merge.changeMine", { from: baseRevision })} />
            )}
          </Panel>
        </div>
      )}
      <Panel title={t("config.merge.byHand")} hint={t("config.merge.byHandHint")} flush>
        <div aria-hidden className="hidden grid-cols-2 border-line border-b px-4 py-1 text-ink-faint text-xs md:grid">
          <span>{t("config.merge.theirsOf", { number: current.number, author: current.author })}</span>
          <span>{t("config.merge.mine")}</span>
        </div>
        <div className="h-120 overflow-hidden rounded-b-lg">
          <MergeEditor theirs={current.text} mine={mine} onChange={type} />
        </div>
      </Panel>
    </div>
  );
}

interface ChoicesProps {
  mine: string;
  /** Null while it is loading. */
  baseText: string | null;
  baseRevision: number;
}

function Choices({ mine, baseText, baseRevision }: ChoicesProps) {
  const { t } = useI18n();
  const router = useRouter();
  const { current, discard, replace, evaluation, isOutdated } = useConfig();
  const [isAsking, setIsAsking] = useState(false);
  const leave = () => router.push(paths.config("yaml"));
  const keepMine = () => {
    if (baseText === null) return;
    const merged = mergeTexts(baseText, mine, current.text);
    replace(merged.text, current.number);
    toast.success(
      merged.overlaps === 0
        ? t("config.merge.merged", { number: current.number })
        : t("config.merge.mergedOver", { number: current.number, count: merged.overlaps }),
    );
    leave();
  };
  const errors = evaluation?.problems.filter((problem) => problem.severity === "error").length ?? 0;
  return (
    <section aria-label={t("config.merge.title")} className="space-y-3 rounded-lg border border-line bg-surface p-4 shadow-panel">
      <h2 className="font-semibold">{t("config.merge.question", { number: current.number, author: current.author })}</h2>
      <p className="text-ink-soft">{t("config.merge.explain", { base: baseRevision, number: current.number })}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabledReason={baseText === null ? t("common.loading") : null} onClick={keepMine}>
          {t("config.merge.keepMine")}
        </Button>
        <Button onClick={() => setIsAsking(true)}>{t("config.merge.takeTheirs")}</Button>
        <Button
          disabledReason={errors > 0 && !isOutdated ? t("config.mendFirst", { count: errors }) : null}
          onClick={() => {
            replace(mine, current.number);
            toast.success(t("config.merge.standsOn", { number: current.number }));
            leave();
          }}
        >
          {t("config.merge.useText")}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("config.merge.takeTheirsTitle")}
        description={t("config.merge.takeTheirsText")}
        confirmLabel={t("config.merge.takeTheirs")}
        dismissLabel={t("common.keepEditing")}
        danger
        onConfirm={() => {
          discard();
          setIsAsking(false);
          leave();
        }}
      />
    </section>
  );
}
