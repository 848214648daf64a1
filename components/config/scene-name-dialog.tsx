"use client";

import { type FormEvent, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { CONFIG_NAME } from "@/server/config/config.rules";
import type { SceneRow } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { renameScene } from "./scene-edits";

interface SceneNameDialogProps {
  /** The scene that is renamed; null for a new one. */
  row: SceneRow | null;
  onNamed: (name: string) => void;
  onClose: () => void;
}

/** The name of one of the operator's own scenes. */
export function SceneNameDialog({ row, onNamed, onClose }: SceneNameDialogProps) {
  const { t } = useI18n();
  const { evaluation, edit } = useConfig();
  const [name, setName] = useState(row?.scene ?? "");
  const [isAsked, setIsAsked] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const trimmed = name.trim();
  const isTaken = trimmed !== row?.scene && evaluation?.scenes.some((each) => each.scene === trimmed) === true;
  const problem = isTaken ? t("config.name.taken", { name: trimmed }) : CONFIG_NAME.test(trimmed) ? null : t("config.name.rule");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setIsAsked(true);
    if (problem !== null) return input.current?.focus();
    if (row !== null && trimmed !== row.scene) edit(renameScene(row, trimmed));
    onNamed(trimmed);
  };
  return (
    <Dialog
      open
      size="sm"
      title={row === null ? t("config.models.add") : t("config.scene.renameTitle", { scene: row.scene })}
      description={row === null ? t("config.models.addText") : t("config.scene.renameText")}
      initialFocus={input}
      onOpenChange={(open) => !open && onClose()}
    >
      <form onSubmit={submit} className="space-y-4">
        <Field label={t("config.name")} hint={t("config.name.rule")} error={isAsked ? problem : null}>
          {(control) => (
            <Input
              {...control}
              ref={input}
              autoComplete="off"
              spellCheck={false}
              maxLength={63}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" variant="primary">
            {t(row === null ? "config.scene.nextModel" : "config.scene.rename")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
