"use client";

import { Upload } from "lucide-react";
import { type DragEvent, useId, useRef, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Field } from "@/components/ui/field";
import { Textarea } from "@/components/ui/input";
import { Panel } from "@/components/ui/panel";
import { MAX_RUN_BYTES } from "@/server/runs/run.rules";
import { FileList, RejectedFiles } from "./file-list";
import { draftBytes, textBytes } from "./order";
import { type RejectedFile, readFiles } from "./read-files";
import type { DraftState } from "./use-draft";

interface TextPanelProps {
  state: DraftState;
  tooLarge: boolean;
  reading: boolean;
  onReading: (reading: boolean) => void;
}

/** Where the text comes in: pasted, dropped or chosen. */
export function TextPanel({ state, tooLarge, reading, onReading }: TextPanelProps) {
  const { t, formatBytes } = useI18n();
  const { draft, change, addDocuments } = state;
  const [rejected, setRejected] = useState<readonly RejectedFile[]>([]);
  const [dragging, setDragging] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const limit = formatBytes(MAX_RUN_BYTES);

  const take = async (files: readonly File[]) => {
    if (files.length === 0) return;
    onReading(true);
    const result = await readFiles(files, { documents: draft.documents, pastedBytes: textBytes(draft.text) });
    addDocuments(result.added);
    setRejected(result.rejected);
    onReading(false);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
    void take([...event.dataTransfer.files]);
  };
  const hover = (event: DragEvent) => {
    // Text that is dragged belongs to the text field.
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setDragging(true);
  };

  return (
    <Panel title={t("newRun.text")}>
      <Field
        label={t("newRun.pasteLabel")}
        hint={t("newRun.pasteHint", { size: formatBytes(draftBytes(draft)), limit })}
        error={tooLarge ? t("newRun.blocked.tooLarge", { limit }) : null}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={9}
            spellCheck={false}
            placeholder={t("newRun.pastePlaceholder")}
            value={draft.text}
            onChange={(event) => change({ text: event.target.value })}
            className="min-h-32 resize-y font-mono text-xs leading-5"
          />
        )}
      </Field>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is the mouse's way; the button inside is everyone's. */}
      <div
        onDrop={drop}
        onDragOver={hover}
        onDragEnter={hover}
        onDragLeave={() => setDragging(false)}
        className={classNames(
          "mt-4 flex flex-wrap items-center justify-center gap-x-3 gap-y-2 rounded-md border-2 border-dashed p-5 text-center",
          dragging ? "border-accent bg-accent-soft" : "border-line",
        )}
      >
        <Upload aria-hidden className="size-5 text-ink-faint" />
        <span className="text-ink-soft">{t("newRun.drop")}</span>
        <Button size="sm" pending={reading} aria-describedby={hintId} onClick={() => chooser.current?.click()}>
          {reading ? t("newRun.reading") : t("newRun.choose")}
        </Button>
        <p id={hintId} className="w-full text-ink-faint text-xs">
          {t("newRun.dropHint", { limit })}
        </p>
        <input
          ref={chooser}
          type="file"
          multiple
          tabIndex={-1}
          aria-label={t("newRun.choose")}
          className="sr-only"
          onChange={(event) => {
            void take([...(event.target.files ?? [])]);
            // The same file may be chosen again after it was mended.
            event.target.value = "";
          }}
        />
      </div>
      <RejectedFiles files={rejected} onDismiss={() => setRejected([])} />
      <FileList draft={draft} onChange={(documents) => change({ documents })} />
    </Panel>
  );
}
