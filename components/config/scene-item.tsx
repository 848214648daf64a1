"use client";

import { CircleHelp, CornerDownRight, Ellipsis, FlaskConical, Pencil, RotateCcw, Rows3, Trash2 } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Badge } from "@/components/ui/badge";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import { Menu, type MenuAction } from "@/components/ui/menu";
import { BUILT_IN_SCENES, type BuiltInScene } from "@/server/config/config.rules";
import type { SceneRow } from "@/server/runs/config-view.schema";
import { CandidatesEditor } from "./candidates-editor";
import { useConfig } from "./config-state";
import type { MatrixDialog } from "./matrix-dialog";
import { ModelButton, ModelName } from "./model-button";
import { ModelTestResult } from "./model-test-result";
import { isRouted, mapTo, removeScene } from "./scene-edits";
import { useModelTest } from "./use-model-test";
import { useProblemText } from "./use-problem-text";

function isBuiltIn(scene: string): scene is BuiltInScene {
  return BUILT_IN_SCENES.some((name) => name === scene);
}

interface SceneItemProps {
  row: SceneRow;
  onOpen: (dialog: MatrixDialog) => void;
}

/** One job: the model it gets, where that comes from, and what can be done about it. */
export function SceneItem({ row, onOpen }: SceneItemProps) {
  const { t } = useI18n();
  const { edit, evaluation } = useConfig();
  const problemText = useProblemText();
  const test = useModelTest({ scene: row.scene });
  const path = `models.${row.scene}`;
  const problems = evaluation?.problems.filter(
    (problem) => problem.path === path || problem.path.startsWith(`${path}.`) || problem.path.startsWith(`${path}[`),
  );
  return (
    <li
      aria-label={row.scene}
      className="grid gap-x-4 gap-y-2 px-4 py-3 focus-within:bg-hover/60 hover:bg-hover/60 md:grid-cols-[minmax(9rem,14rem)_minmax(0,1fr)_auto]"
    >
      <div className="min-w-0">
        <p className="break-words font-medium">
          <BreakableName name={row.scene} />
        </p>
        <p className="text-ink-faint text-xs">{isBuiltIn(row.scene) ? t(`config.scene.${row.scene}`) : t("config.scene.own")}</p>
      </div>
      <div className="min-w-0 space-y-1.5">
        <div className="flex flex-wrap items-end gap-x-3 gap-y-1">
          <div className={isRouted(row) ? "w-full" : "min-w-0"}>
            <Models row={row} onOpen={onOpen} />
          </div>
          {row.own !== null && row.builtIn && row.scene !== "default" && (
            <Button
              size="sm"
              variant="ghost"
              icon={<RotateCcw aria-hidden className="size-3.5" />}
              onClick={() => edit(removeScene(row.scene))}
            >
              {t("config.scene.reset")}
            </Button>
          )}
        </div>
        {row.problem !== null && (problems ?? []).length === 0 && (
          <p className="tone-danger break-words text-tone text-xs">{row.problem}</p>
        )}
        {problems?.map((problem) => (
          <p
            key={`${problem.code} ${problem.path} ${problem.message}`}
            className={`${problem.severity === "error" ? "tone-danger" : "tone-warning"} whitespace-pre-wrap break-words text-tone text-xs`}
          >
            {problemText(problem)}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap items-start gap-1.5 md:justify-end">
        <Button
          size="sm"
          icon={<FlaskConical aria-hidden className="size-3.5" />}
          aria-label={t("config.test.of", { scene: row.scene })}
          pending={test.isPending}
          disabledReason={row.candidates.length === 0 ? t("config.scene.noModel") : null}
          onClick={test.run}
        >
          {t("config.test.button")}
        </Button>
        <Button
          size="sm"
          icon={<CircleHelp aria-hidden className="size-3.5" />}
          aria-label={t("config.why.of", { scene: row.scene })}
          onClick={() => onOpen({ kind: "why", scene: row.scene })}
        >
          {t("config.why.button")}
        </Button>
        <SceneMenu row={row} onOpen={onOpen} />
      </div>
      {(test.result !== undefined || test.error !== null) && (
        <div className="md:col-span-2 md:col-start-2">
          <ModelTestResult result={test.result} error={test.error} onDismiss={test.reset} />
        </div>
      )}
    </li>
  );
}

function Models({ row, onOpen }: SceneItemProps) {
  const { t } = useI18n();
  const [first] = row.candidates;
  if (isRouted(row)) return <CandidatesEditor row={row} onOpen={onOpen} />;
  if (row.inherited && first !== undefined) {
    return (
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <CornerDownRight aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
        <span className="min-w-0 text-ink-soft">
          {t("config.scene.inherited")} <ModelName reference={row.candidates.map(({ reference }) => reference).join(", ")} />
        </span>
        <Button size="sm" variant="ghost" onClick={() => onOpen({ kind: "pick", row, index: 0 })}>
          {t("config.scene.setOwn")}
        </Button>
      </div>
    );
  }
  if (first === undefined) {
    return (
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone="warning">{t("config.scene.noModel")}</Badge>
        <Button size="sm" onClick={() => onOpen({ kind: "pick", row, index: 0 })}>
          {t("config.scene.choose")}
        </Button>
      </div>
    );
  }
  return (
    <ModelButton
      candidate={first}
      label={t("config.scene.change", { scene: row.scene, model: first.reference })}
      onClick={() => onOpen({ kind: "pick", row, index: 0 })}
    />
  );
}

function SceneMenu({ row, onOpen }: SceneItemProps) {
  const { t } = useI18n();
  const { edit } = useConfig();
  const [first] = row.candidates;
  const actions: MenuAction[] = [
    {
      key: "several",
      label: t("config.scene.addCandidate"),
      icon: <Rows3 aria-hidden className="size-4" />,
      onSelect: () => onOpen(row.candidates.length === 0 ? { kind: "pick", row, index: 0 } : { kind: "add-candidate", row }),
    },
    {
      key: "one",
      label: first === undefined ? t("config.scene.onlyFirst") : t("config.scene.only", { model: first.reference }),
      icon: <CornerDownRight aria-hidden className="size-4" />,
      disabledReason: isRouted(row) ? null : t("config.scene.notSeveral"),
      onSelect: () => first !== undefined && edit(mapTo(row.scene, first.reference)),
    },
    {
      key: "rename",
      label: t("config.scene.rename"),
      icon: <Pencil aria-hidden className="size-4" />,
      separated: true,
      disabledReason: row.builtIn ? t("config.scene.builtIn") : null,
      onSelect: () => onOpen({ kind: "rename", row }),
    },
    {
      key: "remove",
      label: t(row.builtIn ? "config.scene.reset" : "config.scene.remove"),
      icon: <Trash2 aria-hidden className="size-4" />,
      danger: !row.builtIn,
      disabledReason:
        row.own === null ? t("config.scene.nothingOwn") : row.scene === "default" ? t("config.scene.defaultStays") : null,
      onSelect: () => edit(removeScene(row.scene)),
    },
  ];
  return (
    <Menu
      label={t("config.scene.menu", { scene: row.scene })}
      trigger={<Ellipsis aria-hidden className="size-4" />}
      actions={actions}
    />
  );
}
