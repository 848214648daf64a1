"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { BreakableName } from "@/components/ui/breakable-name";
import { Popover } from "@/components/ui/popover";
import type { RunDetail } from "@/server/runs/run.schema";
import { ModelCounts } from "./model-counts";

/** Answering models that the line names; the others are in the list that opens. */
const NAMED = 2;

/** Whom the run may ask and who has answered, in one line; all of them with their counts on a press. */
export function HeaderModels({ run }: { run: RunDetail }) {
  const { t, formatNumber, formatList } = useI18n();
  const { candidates, asked, scene } = run;
  const [first] = candidates;
  const answering = asked.filter(({ succeeded }) => succeeded > 0);
  // When the first candidate has answered everything so far, its name has said it.
  const isTold = answering.every(({ reference }) => reference === first);
  const named = answering
    .slice(0, NAMED)
    .map(({ reference, succeeded }) => t("runModels.answers", { model: reference, count: formatNumber(succeeded) }));
  const others = answering.length - named.length;
  return (
    <>
      <span className="inline-flex min-w-0 flex-wrap items-center gap-1">
        <span className="min-w-0 break-words">
          {scene !== null && `${t("runModels.sceneOf", { scene })} → `}
          {first !== undefined && <BreakableName name={first} />}
        </span>
        {candidates.length > 1 && (
          <Popover
            label={t("runModels.allOf", { count: candidates.length })}
            trigger={`+${formatNumber(candidates.length - 1)}`}
            triggerClassName="rounded-full bg-hover px-1.5 font-medium text-ink-soft hover:text-ink touch:px-3 touch:py-1.5"
            title={t("runModels.candidates")}
          >
            <ModelCounts references={candidates} asked={asked} />
          </Popover>
        )}
      </span>
      {!isTold && (
        <span className="break-words">
          <BreakableName
            name={t("runModels.answeredBy", {
              models: formatList(others > 0 ? [...named, t("runModels.others", { count: others })] : named),
            })}
          />
        </span>
      )}
    </>
  );
}
