"use client";

import { CircleHelp, Settings2 } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { Badge } from "@/components/ui/badge";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import { Fact } from "@/components/ui/fact";
import { Panel } from "@/components/ui/panel";
import type { RunConfig, RunDetail } from "@/server/runs/run.schema";
import { ModelCounts } from "./model-counts";
import { WhyView } from "./why-view";

type Route = RunConfig["routes"][number];

/** The models the run is pinned to, the revision they come from, and what became of the configuration since. */
export function RunModels({ run }: { run: RunDetail }) {
  const { t } = useI18n();
  const { config } = run;
  const [own, ...retries] = config.routes;
  // Runs from before there was a configuration name their backend and nothing else.
  if (own === undefined)
    return (
      <Panel title={t("runModels.title")}>
        <dl className="grid grid-cols-2 gap-4">
          <Fact label={t("runDetail.option.backend")}>{run.backend}</Fact>
          <Fact label={t("runDetail.option.model")}>{run.model}</Fact>
        </dl>
      </Panel>
    );
  return (
    <Panel title={t("runModels.title")} hint={t("runModels.hint")}>
      <div className="space-y-4">
        {config.changedSince && <ChangedSince config={config} own={own} />}
        <RouteView route={own} asked={run.asked} />
        {run.asked.length > 0 && (
          <div className="space-y-1.5 border-line border-t pt-3">
            <p className="text-ink-faint text-xs">{t("runModels.asked")}</p>
            <ModelCounts references={run.asked.map(({ reference }) => reference)} asked={run.asked} />
          </div>
        )}
        {retries.map((route, at) => (
          // Routes are only ever added to a run.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above.
          <div key={at} className="border-line border-t pt-3">
            <p className="mb-2 font-medium">{t("runModels.retry", { number: at + 1 })}</p>
            <RouteView route={route} asked={run.asked} />
          </div>
        ))}
      </div>
    </Panel>
  );
}

function ChangedSince({ config, own }: { config: RunConfig; own: Route }) {
  const { t } = useI18n();
  return (
    <div className="tone-warning flex items-start gap-2.5 rounded-md bg-tone-soft px-3 py-2">
      <Settings2 aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
      <div className="min-w-0 flex-1 space-y-0.5">
        <p className="font-medium text-tone">{t("runModels.changed", { newest: config.newestRevision, pinned: own.revision })}</p>
        <p className="break-words text-ink-soft">
          {config.today === null
            ? t("runModels.todayNothing", { reason: config.problem === null ? "" : serverSentence(t, config.problem) })
            : t("runModels.today", { models: config.today.join(", ") })}
        </p>
        <p className="text-ink-soft">
          {own.scene !== null && `${t("runModels.keeps")} `}
          <Link href={paths.config("revisions")} className="rounded-sm underline">
            {t("runModels.revisions")}
          </Link>
        </p>
      </div>
    </div>
  );
}

function RouteView({ route, asked }: { route: Route; asked: RunDetail["asked"] }) {
  const { t, formatList } = useI18n();
  const [asking, setAsking] = useState(false);
  const { scene, mappedBy, revision, requires, strategy, candidates } = route;
  return (
    <div className="space-y-3">
      <dl className="grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-3">
        <Fact label={t("runModels.scene")}>
          {scene === null ? (
            <span className="text-ink-faint">{t("runModels.byProvider")}</span>
          ) : (
            <>
              {scene}
              {mappedBy !== null && mappedBy !== scene && (
                <span className="text-ink-faint text-xs"> {t("runModels.mappedBy", { entry: mappedBy })}</span>
              )}
            </>
          )}
        </Fact>
        <Fact label={t("runModels.revision")}>
          <Link href={paths.configRevision(revision)} className="rounded-sm underline">
            {t("runModels.revisionNumber", { number: revision })}
          </Link>
        </Fact>
        {candidates.length > 1 && <Fact label={t("runModels.strategy")}>{t(`runModels.strategy.${strategy}`)}</Fact>}
        {requires.length > 0 && (
          <Fact label={t("runModels.requires")}>
            {formatList(requires.map((capability) => t(`backends.score.${capability}`)))}
          </Fact>
        )}
      </dl>
      <ol aria-label={t("runModels.candidates")} className="space-y-1.5">
        {candidates.map((candidate, at) => (
          <li key={candidate.reference} className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
            {candidates.length > 1 && <Badge>{at + 1}</Badge>}
            <code className="min-w-0 break-words font-medium font-mono text-xs">
              <BreakableName name={candidate.reference} />
            </code>
            <span className="text-ink-faint text-xs">
              <Link href={paths.backend(candidate.profile)} className="rounded-sm underline">
                {candidate.profile}
              </Link>
              {candidate.baseUrl !== null && (
                <code className="break-words font-mono">
                  {" "}
                  · <BreakableName name={candidate.baseUrl} />
                </code>
              )}
            </span>
          </li>
        ))}
      </ol>
      {scene !== null && (
        <Button
          size="sm"
          icon={<CircleHelp aria-hidden className="size-3.5" />}
          aria-expanded={asking}
          onClick={() => setAsking(!asking)}
        >
          {t("runModels.why")}
        </Button>
      )}
      {asking && scene !== null && <WhyView scene={scene} revision={revision} asked={asked} />}
    </div>
  );
}
