"use client";

import { Ban, CheckCheck, Columns3, CopyPlus, Ellipsis, type LucideIcon, Pause, Play, RotateCw } from "lucide-react";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { RerunDialog } from "@/components/run-actions/rerun-dialog";
import { useRunActions } from "@/components/run-actions/use-run-actions";
import { refusalSentence } from "@/components/status/action-refusal";
import { Menu } from "@/components/ui/menu";
import type { RunSummary } from "@/server/runs/run.schema";
import type { RunAction } from "@/server/runs/run-state.rules";

const ORDER = ["retry", "pause", "resume", "finish", "cancel"] as const satisfies readonly RunAction[];

const ICONS = { retry: RotateCw, pause: Pause, resume: Play, finish: CheckCheck, cancel: Ban } as const satisfies Record<
  RunAction,
  LucideIcon
>;

/** Agent runs have turns instead: they are interrupted and ordered on the run's page. */
const OF_AGENTS = ["cancel"] as const satisfies readonly RunAction[];

/** What may be done with a run, from its row; what is not possible now says why. */
export function RunMenu({ run }: { run: RunSummary }) {
  const { t } = useI18n();
  const { ask, dialog } = useRunActions(run);
  const router = useRouter();
  const [isRerunning, setRerunning] = useState(false);
  const again = {
    key: "rerun",
    label: t("rerun.open"),
    icon: <CopyPlus aria-hidden className="size-4" />,
    onSelect: () => setRerunning(true),
  };
  const compare = {
    key: "compare",
    label: t("compare.open"),
    icon: <Columns3 aria-hidden className="size-4" />,
    onSelect: () => router.push(paths.compare([run.id])),
  };
  const actions = (run.kind === "thread" ? OF_AGENTS : ORDER).map((each) => {
    const Icon = ICONS[each];
    return {
      key: each,
      label: t(`action.${each}`),
      icon: <Icon aria-hidden className="size-4" />,
      danger: each === "cancel",
      separated: each === "cancel" && run.kind !== "thread",
      disabledReason: refusalSentence(t, each, run),
      onSelect: () => ask(each),
    };
  });
  return (
    <>
      <Menu
        label={t("runs.actionsFor", { name: run.name })}
        trigger={<Ellipsis aria-hidden className="size-4" />}
        actions={run.kind === "thread" ? actions : [compare, again, ...actions]}
      />
      {dialog}
      {isRerunning && <RerunDialog run={run} open onOpenChange={setRerunning} />}
    </>
  );
}
