"use client";

import { useQuery } from "@tanstack/react-query";
import { CopyPlus, Plus } from "lucide-react";
import { useId, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { RerunDialog } from "@/components/run-actions/rerun-dialog";
import { useTRPC } from "@/components/trpc/trpc-client";
import { Button } from "@/components/ui/button";
import { NativeSelect } from "@/components/ui/input";
import type { RunSummary } from "@/server/runs/run.schema";
import { MOST_COMPARED } from "@/server/runs/run-comparison.rules";

const NEWEST = 50;
/** The end of an id tells runs apart, as in the list. */
const SHORT_ID_LENGTH = 6;

interface AddRunsProps {
  ids: readonly string[];
  /** The run that the others are compared with; undefined while it is not known. */
  first: RunSummary | undefined;
  onAdd: (ids: readonly string[]) => void;
}

/** Runs that can be put beside those that are there: first the ones of the same text. */
export function AddRuns({ ids, first: shown, onAdd }: AddRunsProps) {
  const { t } = useI18n();
  const api = useTRPC();
  const selectId = useId();
  const [isRerunning, setRerunning] = useState(false);
  const [first] = ids;
  const same = useQuery(api.runs.ofSameText.queryOptions({ id: first ?? "" }, { enabled: first !== undefined }));
  const newest = useQuery(api.runs.list.queryOptions({ limit: NEWEST }));
  const isNew = ({ id, kind }: RunSummary) => kind !== "thread" && !ids.includes(id);
  const alike = first === undefined ? [] : (same.data ?? []).filter(isNew);
  const others = (newest.data?.items ?? []).filter((run) => isNew(run) && !alike.some(({ id }) => id === run.id));
  const isFull = ids.length >= MOST_COMPARED;
  const all = alike.slice(0, MOST_COMPARED - ids.length).map(({ id }) => id);
  return (
    <section aria-label={t("compare.add")} className="flex flex-wrap items-center gap-2">
      <label htmlFor={selectId} className="sr-only">
        {t("compare.add")}
      </label>
      <NativeSelect
        id={selectId}
        className="sm:w-96!"
        value=""
        disabled={isFull || alike.length + others.length === 0}
        onChange={({ target }) => onAdd([target.value])}
      >
        <option value="">{t(isFull ? "compare.full" : "compare.add")}</option>
        {alike.length > 0 && (
          <optgroup label={t("compare.sameText")}>
            {alike.map((run) => (
              <RunOption key={run.id} run={run} />
            ))}
          </optgroup>
        )}
        {others.length > 0 && (
          <optgroup label={t("compare.newest")}>
            {others.map((run) => (
              <RunOption key={run.id} run={run} />
            ))}
          </optgroup>
        )}
      </NativeSelect>
      {all.length > 0 && (
        <Button icon={<Plus aria-hidden className="size-4" />} onClick={() => onAdd(all)}>
          {t("compare.addAll", { count: all.length })}
        </Button>
      )}
      {shown !== undefined && !isFull && (
        <Button icon={<CopyPlus aria-hidden className="size-4" />} onClick={() => setRerunning(true)}>
          {t("rerun.open")}
        </Button>
      )}
      {shown !== undefined && isRerunning && <RerunDialog run={shown} beside={ids} open onOpenChange={setRerunning} />}
    </section>
  );
}

function RunOption({ run }: { run: RunSummary }) {
  return (
    <option value={run.id}>
      {`${run.name} · ${run.sourceDate} · ${run.backend}/${run.model} · …${run.id.slice(-SHORT_ID_LENGTH)}`}
    </option>
  );
}
