"use client";

import { useQuery } from "@tanstack/react-query";
import { Check, CircleCheck, CircleMinus, CircleX, X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Badge } from "@/components/ui/badge";
import { BreakableName } from "@/components/ui/breakable-name";
import { ErrorState } from "@/components/ui/error-state";
import { Skeleton } from "@/components/ui/skeleton";
import type { RouteExplanation } from "@/server/runs/config-view.schema";
import type { AskedModel } from "@/server/runs/run.schema";
import { ModelCounts } from "./model-counts";

const VERDICTS = {
  chosen: { icon: CircleCheck, tone: "success", word: "runModels.verdict.chosen" },
  passed_over: { icon: CircleMinus, tone: "neutral", word: "runModels.verdict.passedOver" },
  rejected: { icon: CircleX, tone: "danger", word: "runModels.verdict.rejected" },
} as const;

interface WhyViewProps {
  scene: string;
  /** The revision that the run keeps. */
  revision: number;
  /** Whom its attempts have really asked. */
  asked: readonly AskedModel[];
}

/** Which of the run's models would be asked now, why, and why no other. The trace says what was decided for each request then. */
export function WhyView({ scene, revision, asked }: WhyViewProps) {
  const { t } = useI18n();
  const client = useTRPCClient();
  const errorText = useErrorText();
  const query = useQuery({
    queryKey: ["run-why", scene, revision],
    queryFn: ({ signal }) => client.config.why.mutate({ scene, revision }, { signal }),
    // Health and cooldowns change all the time: what was true the last time it was opened is not an answer.
    staleTime: 0,
    gcTime: 0,
  });
  if (query.data === undefined) {
    if (query.error === null) return <Skeleton className="h-24 w-full" />;
    const { title, detail } = errorText(query.error);
    return (
      <ErrorState
        title={t("runModels.whyFailed")}
        message={`${title} ${detail}`.trim()}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const { candidates, problem, leastBad } = query.data;
  return (
    <section aria-label={t("runModels.why")} className="space-y-3">
      <div className="space-y-1">
        <h3 className="font-medium">{t("runModels.usedTitle")}</h3>
        {asked.length === 0 ? (
          <p className="text-ink-soft text-xs">{t("runModels.usedNone")}</p>
        ) : (
          <ModelCounts references={asked.map(({ reference }) => reference)} asked={asked} />
        )}
      </div>
      <div className="space-y-0.5">
        <h3 className="font-medium">{t("runModels.nowTitle")}</h3>
        <p className="text-ink-soft text-xs">{t("runModels.whyNow", { revision })}</p>
      </div>
      {problem !== null && <p className="tone-danger text-tone">{serverSentence(t, problem)}</p>}
      {leastBad && <p className="tone-warning text-tone">{t("runModels.leastBad")}</p>}
      <ol aria-label={t("runModels.nowTitle")} className="space-y-2">
        {candidates.map((candidate) => (
          <Candidate key={candidate.reference} candidate={candidate} />
        ))}
      </ol>
    </section>
  );
}

function Candidate({ candidate }: { candidate: RouteExplanation["candidates"][number] }) {
  const { t } = useI18n();
  const { icon: Icon, tone, word } = VERDICTS[candidate.verdict];
  return (
    <li className="rounded-md border border-line px-3 py-2">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone} icon={<Icon aria-hidden className="size-3.5" />}>
          {t(word)}
        </Badge>
        <code className="min-w-0 break-words font-mono text-xs">
          <BreakableName name={candidate.reference} />
        </code>
      </p>
      {candidate.reason !== "" && <p className="mt-1 break-words">{serverSentence(t, candidate.reason)}</p>}
      <ul className="mt-1 space-y-0.5 text-xs">
        {candidate.checks.map(({ check, ok, message }) => {
          const Mark = ok ? Check : X;
          return (
            <li key={check} className="flex items-start gap-1.5">
              <Mark aria-hidden className={`mt-0.5 size-3.5 shrink-0 text-tone ${ok ? "tone-success" : "tone-danger"}`} />
              <span className="min-w-0 break-words text-ink-soft">
                <span className="font-medium text-ink">{t(`runModels.check.${check}`)}</span>
                <span className="sr-only">: {t(ok ? "runModels.passed" : "runModels.notPassed")}.</span>{" "}
                {serverSentence(t, message)}
              </span>
            </li>
          );
        })}
      </ul>
    </li>
  );
}
