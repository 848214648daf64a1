"use client";

import { FileWarning, GitMerge, Info, PencilLine, Undo2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { Button, ButtonLink } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { TONE_CLASS, type Tone } from "@/components/ui/tone";
import type { ConfigFileView } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { FileConflict } from "./file-conflict";
import { lineOfLiteralKey } from "./key-reference";

/** What somebody who works on the document has to know before anything else. */
export function ConfigBanners() {
  const { current, draft } = useConfig();
  return (
    <>
      {draft !== null && <DraftBanner />}
      <StaleBanner />
      {current.file !== null && <FileBanner file={current.file} />}
    </>
  );
}

interface BannerProps {
  tone: Tone;
  icon: ReactNode;
  children: ReactNode;
  actions?: ReactNode;
}

function Banner({ tone, icon, children, actions }: BannerProps) {
  return (
    <div className={`${TONE_CLASS[tone]} flex flex-wrap items-center gap-x-3 gap-y-2 rounded-lg bg-tone-soft px-4 py-2`}>
      <span className="text-tone">{icon}</span>
      <div className="min-w-0 flex-1 basis-64 break-words">{children}</div>
      {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
  );
}

function DraftBanner() {
  const { t, formatTime } = useI18n();
  const { draft, text, kept, canUndo, undo, discard } = useConfig();
  const [isAsking, setIsAsking] = useState(false);
  if (draft === null) return null;
  return (
    <Banner
      tone="active"
      icon={<PencilLine aria-hidden className="size-4" />}
      actions={
        <>
          {canUndo && (
            <Button size="sm" icon={<Undo2 aria-hidden className="size-3.5" />} onClick={undo}>
              {t("config.undo")}
            </Button>
          )}
          <Button size="sm" onClick={() => setIsAsking(true)}>
            {t("config.discard")}
          </Button>
        </>
      }
    >
      <p>{t("config.draftFrom", { time: formatTime(draft.startedAt), revision: draft.baseRevision })}</p>
      {kept === "no-room" && <p className="tone-warning text-tone">{t("config.notKept.noRoom")}</p>}
      {kept === "holds-key" && (
        <p className="tone-danger text-tone">{t("config.notKept.holdsKey", { line: lineOfLiteralKey(text) ?? 1 })}</p>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("config.discardTitle")}
        description={t("config.discardText")}
        confirmLabel={t("config.discard")}
        dismissLabel={t("common.keepEditing")}
        danger
        onConfirm={() => {
          discard();
          setIsAsking(false);
        }}
      />
    </Banner>
  );
}

function StaleBanner() {
  const { t, formatTime } = useI18n();
  const { current, draft, isStale } = useConfig();
  if (!isStale || draft === null) return null;
  return (
    <Banner
      tone="warning"
      icon={<GitMerge aria-hidden className="size-4" />}
      actions={
        <ButtonLink href={paths.configMerge()} size="sm">
          {t("config.merge.open")}
        </ButtonLink>
      }
    >
      <p role="status">
        {draft.baseRevision > current.number
          ? t("config.baseUnknown", { base: draft.baseRevision, number: current.number })
          : t("config.savedMeanwhile", {
              number: current.number,
              author: current.author,
              time: formatTime(current.createdAt),
            })}
      </p>
      {current.comment !== "" && draft.baseRevision < current.number && (
        <p className="text-ink-soft">“{serverSentence(t, current.comment)}”</p>
      )}
    </Banner>
  );
}

function FileBanner({ file }: { file: ConfigFileView }) {
  const { t } = useI18n();
  if (file.state === "imported") return null;
  if (file.state === "conflict" && file.text !== null) return <FileConflict path={file.path} text={file.text} />;
  return (
    <Banner
      tone={file.state === "superseded" ? "neutral" : "danger"}
      icon={
        file.state === "superseded" ? <Info aria-hidden className="size-4" /> : <FileWarning aria-hidden className="size-4" />
      }
    >
      {file.state === "superseded" ? (
        <p className="break-words">{serverSentence(t, file.message)}</p>
      ) : (
        <>
          <p className="break-all">
            {t("config.file.broken", { path: file.path, revision: file.importedRevision ?? t("common.none") })}
          </p>
          <p className="break-words text-ink-soft">{serverSentence(t, file.message)}</p>
        </>
      )}
    </Banner>
  );
}
