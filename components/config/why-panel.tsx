"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Check, CircleCheck, CircleSlash, MinusCircle, TriangleAlert, X } from "lucide-react";
import { useId, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Badge } from "@/components/ui/badge";
import { BreakableName } from "@/components/ui/breakable-name";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Skeleton } from "@/components/ui/skeleton";
import { useDebounced } from "@/components/ui/use-debounced";
import { CONFIG_NAME } from "@/server/config/config.rules";
import type { RouteExplanation } from "@/server/runs/config-view.schema";
import type { DocumentChoice } from "./document-choice";
import { ModelName } from "./model-button";

/** Typing rests this long before the server is asked. */
const TYPING_REST_MS = 250;

interface WhyPanelProps {
  /** Asked first; another can be typed or picked. */
  scene: string;
  /** A draft's text, or a saved revision, such as the one a run keeps. */
  choice: DocumentChoice;
  /** To pick from. */
  scenes?: readonly string[];
}

/** Which model a scene gets now, step by step, and why no other. */
export function WhyPanel({ scene, choice, scenes = [] }: WhyPanelProps) {
  const { t } = useI18n();
  const client = useTRPCClient();
  const errorText = useErrorText();
  const listId = useId();
  const [entered, setEntered] = useState(scene);
  const asked = useDebounced(entered.trim(), TYPING_REST_MS);
  const isName = CONFIG_NAME.test(asked);
  const query = useQuery({
    queryKey: ["config-why", asked, choice],
    queryFn: ({ signal }) => client.config.why.mutate({ scene: asked, ...choice }, { signal }),
    enabled: isName,
    gcTime: 0,
    staleTime: 0,
  });
  const problem = query.error === null ? null : errorText(query.error);
  return (
    <div className="space-y-4">
      <Field
        label={t("config.why.scene")}
        hint={choice.text === undefined ? t("config.why.ofRevision", { number: choice.revision }) : t("config.why.ofDraft")}
        error={isName ? null : t("config.name.rule")}
        className="max-w-sm"
      >
        {(control) => (
          <Input
            {...control}
            list={listId}
            autoComplete="off"
            spellCheck={false}
            value={entered}
            onChange={(event) => setEntered(event.target.value)}
          />
        )}
      </Field>
      <datalist id={listId}>
        {scenes.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {problem !== null && (
        <ErrorState
          title={t("config.why.failed")}
          message={`${problem.title} ${problem.detail}`}
          retrying={query.isFetching}
          onRetry={() => void query.refetch()}
        />
      )}
      {isName && query.isPending && (
        <div role="status" aria-label={t("common.loading")}>
          <Skeleton className="h-32" />
        </div>
      )}
      {query.data !== undefined && problem === null && <Explanation why={query.data} />}
    </div>
  );
}

function Explanation({ why }: { why: RouteExplanation }) {
  const { t } = useI18n();
  return (
    <div className="space-y-3">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="break-words font-medium">
          <BreakableName name={why.scene} />
        </span>
        <ArrowRight aria-hidden className="size-3.5 text-ink-faint" />
        <span className="text-ink-soft">
          {why.mappedBy === null
            ? t("config.why.noEntry")
            : why.inherited
              ? t("config.why.byDefault", { entry: why.mappedBy })
              : t("config.why.byOwn", { entry: why.mappedBy })}
        </span>
        {why.strategy !== null && why.candidates.length > 1 && <Badge>{t(`config.strategy.${why.strategy}`)}</Badge>}
        {why.requires.map((capability) => (
          <Badge key={capability}>{t("config.why.requires", { capability: t(`config.capability.${capability}`) })}</Badge>
        ))}
      </p>
      {why.problem !== null && (
        <p className="tone-danger flex items-start gap-2 rounded-md bg-tone-soft px-3 py-2 text-tone">
          <X aria-hidden className="mt-0.5 size-4 shrink-0" />
          {serverSentence(t, why.problem)}
        </p>
      )}
      {why.leastBad && (
        <p className="tone-warning flex items-start gap-2 rounded-md bg-tone-soft px-3 py-2 text-tone">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          {t("config.why.leastBad")}
        </p>
      )}
      <ol aria-label={t("config.why.candidates")} className="space-y-2">
        {why.candidates.map((candidate, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same model may be listed twice; its place tells the two apart.
          <Candidate key={`${index} ${candidate.reference}`} candidate={candidate} />
        ))}
      </ol>
    </div>
  );
}

const VERDICTS = {
  chosen: { icon: CircleCheck, tone: "success", word: "config.why.chosen" },
  passed_over: { icon: MinusCircle, tone: "neutral", word: "config.why.passedOver" },
  rejected: { icon: CircleSlash, tone: "danger", word: "config.why.rejected" },
} as const;

function Candidate({ candidate }: { candidate: RouteExplanation["candidates"][number] }) {
  const { t, formatPercent } = useI18n();
  const { icon: Icon, tone, word } = VERDICTS[candidate.verdict];
  return (
    <li className="rounded-md border border-line px-3 py-2">
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={tone} icon={<Icon aria-hidden className="size-3" />}>
          {t(word)}
        </Badge>
        <ModelName reference={candidate.reference} />
        {candidate.score !== null && (
          <span className="text-ink-faint text-xs">{t("config.why.score", { score: formatPercent(candidate.score) })}</span>
        )}
      </div>
      {candidate.reason !== "" && <p className="mt-1 break-words text-ink-soft">{serverSentence(t, candidate.reason)}</p>}
      <ul className="mt-1.5 space-y-0.5 text-xs">
        {candidate.checks.map(({ check, ok, message }) => (
          <li key={check} className="flex items-start gap-1.5">
            {ok ? (
              <Check aria-hidden className="tone-success mt-0.5 size-3.5 shrink-0 text-tone" />
            ) : (
              <X aria-hidden className="tone-danger mt-0.5 size-3.5 shrink-0 text-tone" />
            )}
            <span className="min-w-0 break-words">
              <span className="font-medium">{t(`config.check.${check}`)}</span>
              <span className="sr-only"> {t(ok ? "config.why.passed" : "config.why.notPassed")}</span>{" "}
              <span className="text-ink-soft">{serverSentence(t, message)}</span>
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}
