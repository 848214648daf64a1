"use client";

import { ArrowDown, ArrowUp, Plus, Trash2 } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button, IconButton } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { NativeSelect } from "@/components/ui/input";
import { MODEL_CAPABILITIES, ROUTING_STRATEGIES } from "@/server/config/config.rules";
import { useConfig } from "./config-state";
import type { MatrixDialog } from "./matrix-dialog";
import { ModelButton } from "./model-button";
import { moveCandidate, type RoutedRow, removeCandidate, setStrategy, toggleCapability } from "./scene-edits";

interface CandidatesEditorProps {
  row: RoutedRow;
  onOpen: (dialog: MatrixDialog) => void;
}

/** A scene with several models: how one of them is picked, what it must be good at, and their order. */
export function CandidatesEditor({ row, onOpen }: CandidatesEditorProps) {
  const { t } = useI18n();
  const { edit, editPlace } = useConfig();
  const { scene } = row;
  const candidates = row.own.candidates.map(
    (reference, index) => row.candidates[index] ?? { reference, provider: "", model: "", problem: null },
  );
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-center gap-2">
        <NativeSelect
          aria-label={t("config.strategyOf", { scene })}
          value={row.strategy}
          onChange={(event) => {
            const strategy = ROUTING_STRATEGIES.find((each) => each === event.target.value);
            if (strategy !== undefined) edit(setStrategy(row, strategy));
          }}
          className="h-7! w-auto! text-xs touch:h-11!"
        >
          {ROUTING_STRATEGIES.map((strategy) => (
            <option key={strategy} value={strategy}>
              {t(`config.strategy.${strategy}`)}
            </option>
          ))}
        </NativeSelect>
        <fieldset className="flex flex-wrap items-center gap-1">
          <legend className="sr-only">{t("config.requiresOf", { scene })}</legend>
          <span aria-hidden className="text-ink-faint text-xs">
            {t("config.requires")}
          </span>
          {MODEL_CAPABILITIES.map((capability) => {
            const isWanted = row.requires.includes(capability);
            return (
              <button
                key={capability}
                type="button"
                aria-pressed={isWanted}
                onClick={() => edit(toggleCapability(row, capability))}
                className={classNames(
                  "h-6 rounded-full border px-2 text-xs touch:h-9",
                  isWanted
                    ? "border-accent bg-accent-soft font-medium text-accent"
                    : "border-line text-ink-soft hover:border-line-strong hover:text-ink",
                )}
              >
                {t(`config.capability.${capability}`)}
              </button>
            );
          })}
        </fieldset>
      </div>
      <ol aria-label={t("config.candidatesOf", { scene })} className="space-y-1">
        {candidates.map((candidate, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same model may be listed twice; its place tells the two apart.
          <li key={`${index} ${candidate.reference}`} className="flex items-start gap-1.5">
            <span className="w-5 shrink-0 pt-1 text-right text-ink-faint text-xs tabular-nums">{index + 1}.</span>
            <div className="min-w-0 flex-1">
              <ModelButton
                candidate={candidate}
                label={t("config.scene.change", { scene, model: candidate.reference })}
                onClick={() => onOpen({ kind: "pick", row, index })}
              />
            </div>
            <IconButton
              size="sm"
              label={t("config.moveUp", { model: candidate.reference })}
              icon={<ArrowUp aria-hidden className="size-3.5" />}
              disabledReason={index === 0 ? t("config.isFirst") : null}
              onClick={() => editPlace(moveCandidate(row, index, -1))}
            />
            <IconButton
              size="sm"
              label={t("config.moveDown", { model: candidate.reference })}
              icon={<ArrowDown aria-hidden className="size-3.5" />}
              disabledReason={index === candidates.length - 1 ? t("config.isLast") : null}
              onClick={() => editPlace(moveCandidate(row, index, 1))}
            />
            <IconButton
              size="sm"
              label={t("config.removeCandidate", { model: candidate.reference })}
              icon={<Trash2 aria-hidden className="size-3.5" />}
              disabledReason={candidates.length === 1 ? t("config.lastCandidate") : null}
              onClick={() => editPlace(removeCandidate(row, index))}
            />
          </li>
        ))}
      </ol>
      <Button
        size="sm"
        variant="ghost"
        icon={<Plus aria-hidden className="size-3.5" />}
        onClick={() => onOpen({ kind: "add-candidate", row })}
      >
        {t("config.scene.addCandidate")}
      </Button>
    </div>
  );
}
