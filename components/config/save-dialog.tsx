"use client";

import { useRouter } from "next/navigation";
import { toast } from "sonner";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useConfig } from "./config-state";
import { RevisionDialog } from "./revision-dialog";
import { useNewestRevision } from "./use-newest-revision";

/** Saves the draft as a new revision; a newer one of somebody else leads to the three-way view. */
export function SaveDialog({ onClose }: { onClose: () => void }) {
  const { t } = useI18n();
  const client = useTRPCClient();
  const router = useRouter();
  const newest = useNewestRevision();
  const { current, draft, text, finish } = useConfig();
  const baseRevision = draft?.baseRevision ?? current.number;
  return (
    <RevisionDialog
      title={t("config.saveTitle")}
      description={t("config.saveText", { number: current.number + 1 })}
      confirmLabel={t("config.saveConfirm")}
      before={current.text}
      after={text}
      save={(signature) => client.config.save.mutate({ text, baseRevision, ...signature })}
      onSaved={(revision) => {
        newest.show(revision);
        finish(revision, text);
        toast.success(t("config.saved", { number: revision.number }));
        onClose();
      }}
      onConflict={() => {
        // The three-way view needs theirs.
        void newest.ask().then(() => router.push(paths.configMerge()));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
