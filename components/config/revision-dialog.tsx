"use client";

import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useRef, useState } from "react";
import { rememberAuthor, rememberedAuthor } from "@/components/author";
import { useI18n } from "@/components/i18n/i18n-provider";
import { errorCodeOf } from "@/components/trpc/error-code";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import type { RevisionView } from "@/server/runs/config-view.schema";
import { ImpactView } from "./impact-view";
import { LineDiffView } from "./line-diff-view";

const LONGEST_AUTHOR = 80;
const LONGEST_COMMENT = 500;

interface RevisionDialogProps {
  title: string;
  description: ReactNode;
  confirmLabel: string;
  usualComment?: string;
  /** The newest revision's text. */
  before: string;
  /** The text that becomes the newest revision. */
  after: string;
  save: (signature: { author: string; comment: string }) => Promise<RevisionView>;
  onSaved: (revision: RevisionView) => void;
  /** Somebody else was faster: `before` is not the newest any more. */
  onConflict: () => void;
  onClose: () => void;
}

/** Makes a new revision: who, why, what changes, and what that means. It stays open until the save has succeeded. */
export function RevisionDialog(props: RevisionDialogProps) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const [author, setAuthor] = useState(rememberedAuthor);
  const [comment, setComment] = useState(props.usualComment ?? "");
  const [startsAtAuthor] = useState(author === "");
  const [isAsked, setIsAsked] = useState(false);
  const authorInput = useRef<HTMLInputElement>(null);
  const commentInput = useRef<HTMLInputElement>(null);
  const mutation = useMutation({
    mutationFn: props.save,
    onSuccess: (revision) => {
      rememberAuthor(author.trim());
      props.onSaved(revision);
    },
    onError: (error) => {
      if (errorCodeOf(error) === "conflict") props.onConflict();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    event.stopPropagation();
    setIsAsked(true);
    if (author.trim() === "") return authorInput.current?.focus();
    if (!mutation.isPending) mutation.mutate({ author: author.trim(), comment: comment.trim() });
  };
  const problem = mutation.error === null || errorCodeOf(mutation.error) === "conflict" ? null : errorText(mutation.error);
  return (
    <Dialog
      open
      size="lg"
      title={props.title}
      description={props.description}
      initialFocus={startsAtAuthor ? authorInput : commentInput}
      onOpenChange={(open) => !open && !mutation.isPending && props.onClose()}
    >
      <form onSubmit={submit} className="space-y-4">
        <div className="grid gap-4 sm:grid-cols-[14rem_1fr]">
          <Field label={t("config.author")} error={isAsked && author.trim() === "" ? t("config.authorMissing") : null}>
            {(control) => (
              <Input
                {...control}
                ref={authorInput}
                autoComplete="name"
                maxLength={LONGEST_AUTHOR}
                value={author}
                onChange={(event) => setAuthor(event.target.value)}
              />
            )}
          </Field>
          <Field label={t("config.comment")}>
            {(control) => (
              <Input
                {...control}
                ref={commentInput}
                autoComplete="off"
                maxLength={LONGEST_COMMENT}
                placeholder={t("config.commentPlaceholder")}
                value={comment}
                onChange={(event) => setComment(event.target.value)}
              />
            )}
          </Field>
        </div>
        <section aria-label={t("config.impact.title")} className="space-y-1.5">
          <h3 className="font-medium text-sm">{t("config.impact.title")}</h3>
          <ImpactView text={props.after} />
        </section>
        <div className="space-y-1.5">
          <h3 className="font-medium text-sm">{t("config.diff.title")}</h3>
          <LineDiffView before={props.before} after={props.after} label={t("config.diff.title")} />
        </div>
        {problem && <ErrorState title={t("config.saveFailed")} message={`${problem.title} ${problem.detail}`} />}
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onClose} disabledReason={mutation.isPending ? t("config.saving") : null}>
            {t("common.keepEditing")}
          </Button>
          <Button type="submit" variant="primary" pending={mutation.isPending}>
            {props.confirmLabel}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
