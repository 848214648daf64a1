"use client";

import { useMutation } from "@tanstack/react-query";
import { FileDiff } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { useConfig } from "./config-state";
import { LineDiffView } from "./line-diff-view";
import { useNewestRevision } from "./use-newest-revision";

interface FileConflictProps {
  path: string;
  /** Of the file. */
  text: string;
}

/** The file and the document were both changed: a person decides. */
export function FileConflict({ path, text }: FileConflictProps) {
  const { t } = useI18n();
  const { current, draft, replace } = useConfig();
  const [isAsking, setIsAsking] = useState(false);
  const api = useTRPC();
  const errorText = useErrorText();
  const newest = useNewestRevision();
  const keep = useMutation(
    api.config.keepDocument.mutationOptions({
      onSuccess: () => {
        void newest.ask();
        toast.success(t("config.file.kept", { path }));
      },
      onError: (error) => {
        const { title, detail } = errorText(error);
        toast.error(t("config.editFailed"), { description: `${title} ${detail}`.trim() });
      },
    }),
  );
  const take = () => {
    replace(text, current.number);
    setIsAsking(false);
  };
  return (
    <section aria-label={t("config.file.conflictTitle")} className="tone-warning rounded-lg bg-tone-soft px-4 py-3">
      <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
        <FileDiff aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
        <div className="min-w-0 flex-1 basis-64">
          <p className="break-words">{t("config.file.conflict", { path, number: current.number })}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => (draft === null ? take() : setIsAsking(true))}>
            {t("config.file.take")}
          </Button>
          <Button size="sm" pending={keep.isPending} onClick={() => keep.mutate()}>
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
        open={isAsking}
        onOpenChange={setIsAsking}
        title={t("config.file.takeTitle")}
        description={t("config.file.takeText")}
        confirmLabel={t("config.file.take")}
        dismissLabel={t("common.keepEditing")}
        onConfirm={take}
      />
    </section>
  );
}
