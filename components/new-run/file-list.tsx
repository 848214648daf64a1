"use client";

import { FileText, X } from "lucide-react";
import { type Translate, useI18n } from "@/components/i18n/i18n-provider";
import { Button, IconButton } from "@/components/ui/button";
import { Input } from "@/components/ui/input";
import { MAX_RUN_BYTES } from "@/server/runs/run.rules";
import type { Draft, DraftDocument } from "./draft";
import { type NameDate, readNameDate } from "./file-date";
import { isWholeRun } from "./order";
import type { RejectedFile } from "./read-files";
import { MAX_FILES } from "./read-files";

interface FileListProps {
  draft: Draft;
  onChange: (documents: DraftDocument[]) => void;
}

/** The files of the draft, each with the date it will count under. */
export function FileList({ draft, onChange }: FileListProps) {
  const { t } = useI18n();
  const { documents } = draft;
  if (documents.length === 0) return null;
  return (
    <section aria-label={t("newRun.files", { count: documents.length })} className="mt-4">
      <h3 className="mb-1 font-medium text-ink-soft text-xs">{t("newRun.files", { count: documents.length })}</h3>
      <ul className="max-h-96 divide-y divide-line overflow-y-auto rounded-md border border-line">
        {documents.map((document) => (
          <FileRow
            key={document.key}
            document={document}
            isWholeRun={isWholeRun(draft, document)}
            onDate={(date) => onChange(documents.map((other) => (other.key === document.key ? { ...other, date } : other)))}
            onRemove={() => onChange(documents.filter((other) => other.key !== document.key))}
          />
        ))}
      </ul>
    </section>
  );
}

interface FileRowProps {
  document: DraftDocument;
  /** No other text goes into the same run. */
  isWholeRun: boolean;
  onDate: (date: string) => void;
  onRemove: () => void;
}

/** What the date in the name comes to, where the operator has chosen none. */
function dateNote(t: Translate, name: NameDate): string | null {
  if (name.kind === "date") return null;
  return name.kind === "none" ? t("newRun.fileDateUnknown") : t("newRun.fileDateImpossible", { date: name.text });
}

function FileRow({ document, isWholeRun, onDate, onRemove }: FileRowProps) {
  const { t, formatBytes } = useI18n();
  const name = readNameDate(document.name);
  const inName = name.kind === "date" ? name.date : null;
  const wrongDate = document.date === "" && name.kind === "impossible";
  const notes = [
    document.text === "" ? t(isWholeRun ? "newRun.fileEmpty" : "newRun.fileEmptyAmong") : null,
    document.date === "" ? dateNote(t, name) : null,
  ].filter((note) => note !== null);
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
      <FileText aria-hidden className="size-4 shrink-0 text-ink-faint" />
      <div className="min-w-32 flex-1">
        <p className="truncate font-medium" title={document.name}>
          {document.name}
        </p>
        <p className={wrongDate ? "tone-warning text-tone text-xs" : "text-ink-faint text-xs"}>
          {[formatBytes(document.bytes), ...notes].join(" · ")}
        </p>
      </div>
      <Input
        type="date"
        aria-label={t("newRun.fileDate", { name: document.name })}
        value={document.date || inName || ""}
        onChange={(event) => onDate(event.target.value === inName ? "" : event.target.value)}
        className="w-38!"
      />
      <IconButton
        size="sm"
        label={t("newRun.removeFile", { name: document.name })}
        icon={<X aria-hidden className="size-4" />}
        onClick={onRemove}
      />
    </li>
  );
}

/** The files that stayed out, each with its own sentence. */
export function RejectedFiles({ files, onDismiss }: { files: readonly RejectedFile[]; onDismiss: () => void }) {
  const { t, formatBytes } = useI18n();
  if (files.length === 0) return null;
  const limits = {
    not_utf8: "",
    too_large: formatBytes(MAX_RUN_BYTES),
    too_many: String(MAX_FILES),
    duplicate: "",
    bad_name: "",
    unreadable: "",
  };
  return (
    <div role="alert" className="tone-danger mt-3 rounded-md bg-tone-soft p-3">
      <div className="flex items-start justify-between gap-3">
        <p className="font-medium text-tone">{t("newRun.rejected", { count: files.length })}</p>
        <Button size="sm" variant="ghost" onClick={onDismiss}>
          {t("newRun.dismiss")}
        </Button>
      </div>
      <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5 text-ink-soft">
        {files.map((file, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two rejected files may have one name; the list only grows.
          <li key={index} className="break-words">
            {t(`newRun.reject.${file.reason}`, { name: file.name, size: formatBytes(file.bytes), limit: limits[file.reason] })}
          </li>
        ))}
      </ul>
    </div>
  );
}
