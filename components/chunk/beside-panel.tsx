"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { parseAsInteger, useQueryStates } from "nuqs";
import { useMemo, useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { classNames } from "@/components/ui/class-names";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Panel } from "@/components/ui/panel";
import type { ChunkDetail, RunSummary } from "@/server/runs/run.schema";
import { answered, type BesideRow, besideOf, besideRows, comparedText } from "./answers-beside";
import { BesideHead } from "./beside-head";

type Attempt = ChunkDetail["attempts"][number];

interface BesidePanelProps {
  chunk: ChunkDetail;
  run: RunSummary | undefined;
}

/** Two answers of the chunk side by side, and which of them counts. Nothing while there are not two. */
export function BesidePanel({ chunk, run }: BesidePanelProps) {
  const { t } = useI18n();
  const [wanted, setWanted] = useQueryStates({ old: parseAsInteger, fresh: parseAsInteger }, { history: "replace" });
  const { choose, isPending } = useChoice(chunk);
  const [rejecting, setRejecting] = useState<number | null>(null);
  const pair = besideOf(chunk.attempts, chunk.acceptedAttempt, wanted);
  if (pair === null) return null;
  const all = answered(chunk.attempts);
  const head = (side: "old" | "fresh") => (
    <BesideHead
      side={side}
      attempt={pair[side]}
      attempts={all}
      chunk={chunk}
      run={run}
      pending={isPending}
      onShow={(number) => void setWanted({ [side]: number })}
      onChoose={choose}
      onReject={setRejecting}
    />
  );
  return (
    <Panel title={t("beside.title")} hint={t("beside.hint")} flush>
      {/* One box scrolls both ways, so that the two columns stay together; what its head holds brings the keyboard in. */}
      <div className="relative max-h-128 overflow-auto rounded-b-lg">
        <table className="w-full min-w-160 table-fixed border-collapse text-sm">
          <thead className="sticky top-0 z-10 bg-surface shadow-panel">
            <tr className="align-top">
              <th scope="col" className="w-1/2 border-line border-r px-4 py-3 text-left font-normal">
                {head("old")}
              </th>
              <th scope="col" className="w-1/2 px-4 py-3 text-left font-normal">
                {head("fresh")}
              </th>
            </tr>
          </thead>
          <Rows old={pair.old} fresh={pair.fresh} />
        </table>
      </div>
      <ConfirmDialog
        open={rejecting !== null}
        onOpenChange={(open) => !open && setRejecting(null)}
        title={t("beside.rejectTitle")}
        description={t("beside.rejectText")}
        confirmLabel={t("beside.rejectConfirm")}
        dismissLabel={t("common.keepEditing")}
        danger
        pending={isPending}
        onConfirm={() => {
          if (rejecting !== null) choose(rejecting);
          setRejecting(null);
        }}
      />
    </Panel>
  );
}

function Rows({ old, fresh }: { old: Attempt; fresh: Attempt }) {
  const { t } = useI18n();
  const before = useMemo(() => comparedText(old), [old]);
  const after = useMemo(() => comparedText(fresh), [fresh]);
  const rows = useMemo(() => besideRows(before.text, after.text), [before, after]);
  const note = before.text === "" && after.text === "" ? "beside.nothing" : before.isCut || after.isCut ? "beside.cut" : null;
  return (
    <tbody className="bg-sunken font-mono text-xs leading-5">
      {note !== null && (
        <tr>
          <td colSpan={2} className="px-4 py-2 font-sans text-ink-soft">
            {t(note)}
          </td>
        </tr>
      )}
      {rows.map((row) => (
        <tr key={row.key} className="align-top">
          <Cell row={row} side="old" />
          <Cell row={row} side="fresh" />
        </tr>
      ))}
    </tbody>
  );
}

function Cell({ row, side }: { row: BesideRow; side: "old" | "fresh" }) {
  const { t } = useI18n();
  const text = row[side];
  const differs = !row.isSame && text !== null;
  return (
    <td
      className={classNames(
        "w-1/2 whitespace-pre-wrap break-words px-4",
        side === "old" && "border-line border-r",
        differs && (side === "old" ? "tone-danger bg-tone-soft" : "tone-success bg-tone-soft"),
        text === null && "bg-surface",
      )}
    >
      {differs && <span className="sr-only">{t(side === "old" ? "beside.onlyOld" : "beside.onlyNew")}</span>}
      {text}
    </td>
  );
}

/** Says on the server which answer counts, and reads anew what follows from it. */
function useChoice({ runId, index }: ChunkDetail) {
  const { t } = useI18n();
  const api = useTRPC();
  const queryClient = useQueryClient();
  const errorText = useErrorText();
  const mutation = useMutation(
    api.chunks.choose.mutationOptions({
      onSuccess: (chunk) => {
        queryClient.setQueryData(api.chunks.get.queryKey({ runId, index }), chunk);
        const accepted = chunk.acceptedAttempt;
        toast.success(accepted === null ? t("beside.rejected") : t("beside.chosen", { number: accepted }));
        void queryClient.invalidateQueries({ queryKey: api.runs.get.queryKey({ id: runId }) });
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("beside.failed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  return { choose: (attempt: number) => mutation.mutate({ runId, index, attempt }), isPending: mutation.isPending };
}
