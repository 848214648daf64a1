"use client";

import { Plus } from "lucide-react";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { SearchBox } from "@/components/ui/search-box";
import { Skeleton } from "@/components/ui/skeleton";
import { useConfig } from "./config-state";
import type { MatrixDialog } from "./matrix-dialog";
import { ModelPicker } from "./model-picker";
import { addCandidate, changeCandidate, mapTo } from "./scene-edits";
import { SceneItem } from "./scene-item";
import { SceneNameDialog } from "./scene-name-dialog";
import { Unreadable } from "./unreadable";
import { WhyDialog } from "./why-dialog";

/** So many scenes are found by looking. */
const FILTER_FROM = 8;

/** Which model does which job: one row a scene, edited in place. */
export function ModelsPage() {
  const { t } = useI18n();
  const { evaluation, isOutdated, isEditing } = useConfig();
  const [dialog, setDialog] = useState<MatrixDialog | null>(null);
  const [filter, setFilter] = useState("");
  if (evaluation === undefined) return <MatrixSkeleton />;
  if (evaluation.scenes.length === 0) return <Unreadable />;
  const wanted = filter.trim().toLowerCase();
  const rows = evaluation.scenes.filter(
    (row) =>
      wanted === "" ||
      row.scene.toLowerCase().includes(wanted) ||
      row.candidates.some(({ reference }) => reference.toLowerCase().includes(wanted)),
  );
  return (
    <>
      <Panel
        title={t("config.models.title")}
        hint={t("config.models.hint")}
        flush
        actions={
          <>
            {evaluation.scenes.length >= FILTER_FROM && (
              <SearchBox size="sm" label={t("config.models.filter")} value={filter} onChange={setFilter} />
            )}
            <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setDialog({ kind: "new-scene" })}>
              {t("config.models.add")}
            </Button>
          </>
        }
      >
        <ul aria-label={t("config.models.title")} aria-busy={isOutdated || isEditing} className="divide-y divide-line">
          {rows.map((row) => (
            <SceneItem key={row.scene} row={row} onOpen={setDialog} />
          ))}
        </ul>
        {rows.length === 0 && <p className="px-4 py-6 text-center text-ink-soft">{t("config.models.noMatch", { filter })}</p>}
      </Panel>
      {dialog !== null && <MatrixDialogs dialog={dialog} onOpen={setDialog} />}
    </>
  );
}

interface MatrixDialogsProps {
  dialog: MatrixDialog;
  onOpen: (dialog: MatrixDialog | null) => void;
}

function MatrixDialogs({ dialog, onOpen }: MatrixDialogsProps) {
  const { t } = useI18n();
  const { edit, choice } = useConfig();
  const close = () => onOpen(null);
  switch (dialog.kind) {
    case "why":
      return <WhyDialog scene={dialog.scene} choice={choice} onClose={close} />;
    case "new-scene":
      return <SceneNameDialog row={null} onNamed={(scene) => onOpen({ kind: "new-scene-model", scene })} onClose={close} />;
    case "rename":
      return <SceneNameDialog row={dialog.row} onNamed={close} onClose={close} />;
    case "new-scene-model":
      return (
        <ModelPicker
          title={t("config.picker.titleFor", { scene: dialog.scene })}
          value=""
          onPick={(reference) => edit(mapTo(dialog.scene, reference))}
          onClose={close}
        />
      );
    case "add-candidate":
      return (
        <ModelPicker
          title={t("config.picker.titleAdd", { scene: dialog.row.scene })}
          value=""
          onPick={(reference) => edit(addCandidate(dialog.row, reference))}
          onClose={close}
        />
      );
    case "pick":
      return (
        <ModelPicker
          title={t("config.picker.titleFor", { scene: dialog.row.scene })}
          value={dialog.row.candidates[dialog.index]?.reference ?? ""}
          onPick={(reference) => edit(changeCandidate(dialog.row, dialog.index, reference))}
          onClose={close}
        />
      );
  }
}

function MatrixSkeleton() {
  const { t } = useI18n();
  return (
    <div role="status" aria-label={t("common.loading")} className="space-y-2 rounded-lg border border-line bg-surface p-4">
      {["a", "b", "c", "d", "e"].map((key) => (
        <Skeleton key={key} className="h-12" />
      ))}
    </div>
  );
}
