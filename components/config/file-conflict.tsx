"use client";

import { FileDiff } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useConfig } from "./config-state";
import { LineDiffView } from "./line-diff-view";
import { RevisionDialog } from "./revision-dialog";
import { useNewestRevision } from "./use-newest-revision";

interface FileConflictProps {
  path: string;
  /** Of the file. */
  text: string;
  message: string;
}

/** The file and the document were both changed: a person decides. */
export function FileConflict({ path, text, message }: FileConflictProps) {
  const { t } = useI18n();
  const { current, draft, replace } = useConfig();
  const [asked, setAsked] = useState<"take" | "keep" | null>(null);
  const client = useTRPCClient();
  const newest = useNewestRevision();
  const take = () => {
    replace(text, current.number);
    setAsked(null);
  };
  return (
    <section aria-label={t("config.file.conflictTitle")} className="tone-warning rounded-lg bg-tone-soft px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <FileDiff aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
        <div className="min-w-0 flex-1 basis-64">
          <p className="break-words">{t("config.file.conflict", { path, number: current.number })}</p>
          {message !== "" && <p className="break-words text-ink-soft">{message}</p>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => (draft === null ? take() : setAsked("take"))}>
            {t("config.file.take")}
          </Button>
          <Button size="sm" onClick={() => setAsked("keep")}>
            {t("config.file.keep")}
          </Button>
        </div>
      </div>
      <details className="mt-2">
        <summary className="cursor-pointer rounded text-accent">{t("config.file.showDifference")}</summary>
        <div className="mt-2">
          <LineDiffView before={current.text} after={text} label={t("config.file.difference", { number: current.number })} />
        </div>
      </details>
      <ConfirmDialog
        open={asked === "take"}
        onOpenChange={(open) => !open && setAsked(null)}
        title={t("config.file.takeTitle")}
        description={t("config.file.takeText")}
        confirmLabel={t("config.file.take")}
        dismissLabel={t("common.keepEditing")}
        onConfirm={take}
      />
      {asked === "keep" && (
        <RevisionDialog
          title={t("config.file.keepTitle")}
          description={t("config.file.keepText", { path })}
          confirmLabel={t("config.file.keep")}
          usualComment={t("config.file.keepComment", { path })}
          before={current.text}
          after={current.text}
          save={(signature) => client.config.save.mutate({ text: current.text, baseRevision: current.number, ...signature })}
          onSaved={(revision) => {
            newest.show(revision);
            toast.success(t("config.saved", { number: revision.number }));
            setAsked(null);
          }}
          onConflict={() => {
            void newest.ask();
            toast.error(t("config.savedMeanwhileRetry"));
            setAsked(null);
          }}
          onClose={() => setAsked(null)}
        />
      )}
    </section>
  );
}
