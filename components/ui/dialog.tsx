"use client";

import { AlertDialog as BaseAlert } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { Button, buttonClass } from "./button";
import { useUiLabels } from "./ui-labels";

const BACKDROP = "fixed inset-0 z-40 bg-black/45";
const POPUP =
  "fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] -translate-x-1/2 -translate-y-1/2 overflow-y-auto rounded-xl border border-line bg-surface p-5 shadow-raised";

interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  description?: ReactNode;
  size?: "sm" | "md" | "lg";
  /** Where the work starts; usual: the first thing that takes the focus. */
  initialFocus?: RefObject<HTMLElement | null>;
  children?: ReactNode;
}

const WIDTHS = { sm: "max-w-md", md: "max-w-xl", lg: "max-w-3xl" } as const;

/** A modal window with a close button; focus goes in, stays in, and returns to where it was. */
export function Dialog({ open, onOpenChange, title, description, size = "md", initialFocus, children }: DialogProps) {
  const labels = useUiLabels();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Popup className={`${POPUP} ${WIDTHS[size]}`} {...(initialFocus === undefined ? {} : { initialFocus })}>
          <div className="flex items-start gap-3">
            <Base.Title className="min-w-0 flex-1 font-semibold text-base">{title}</Base.Title>
            <Base.Close aria-label={labels.close} className={buttonClass("ghost", "sm", "-mt-1 -mr-1 w-7 px-0!")}>
              <X aria-hidden className="size-4" />
            </Base.Close>
          </div>
          {description && <Base.Description className="mt-1 text-ink-soft">{description}</Base.Description>}
          <div className="mt-4">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** A question that names the act: "Cancel this run?" */
  title: ReactNode;
  /** What will happen, with counts. */
  description: ReactNode;
  confirmLabel: string;
  /** What the way out is called; needed where "cancel" would name the act itself. */
  dismissLabel?: string;
  danger?: boolean;
  pending?: boolean;
  /** Why the act is not possible as things are entered. */
  confirmRefusal?: string | null;
  onConfirm: () => void;
  /** Fields, such as a reason. */
  children?: ReactNode;
}

/** Asks before an act. It stays open while pending; the caller closes it when the act has succeeded. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  description,
  confirmLabel,
  dismissLabel,
  danger = false,
  pending = false,
  confirmRefusal = null,
  onConfirm,
  children,
}: ConfirmDialogProps) {
  const labels = useUiLabels();
  const confirm = (event: FormEvent) => {
    event.preventDefault();
    // React hands events of a portal on to the components around it: a form out there is not meant.
    event.stopPropagation();
    if (!pending && confirmRefusal === null) onConfirm();
  };
  return (
    <BaseAlert.Root open={open} onOpenChange={onOpenChange}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={BACKDROP} />
        <BaseAlert.Popup className={`${POPUP} max-w-md`}>
          <BaseAlert.Title className="font-semibold text-base">{title}</BaseAlert.Title>
          <BaseAlert.Description className="mt-1.5 text-ink-soft">{description}</BaseAlert.Description>
          {/* A form, so that Enter in a field means the same as the button. */}
          <form onSubmit={confirm}>
            {children && <div className="mt-4">{children}</div>}
            <div className="mt-5 flex flex-wrap justify-end gap-2">
              <BaseAlert.Close type="button" className={buttonClass("secondary", "md")}>
                {dismissLabel ?? labels.cancel}
              </BaseAlert.Close>
              <Button type="submit" variant={danger ? "danger" : "primary"} pending={pending} disabledReason={confirmRefusal}>
                {confirmLabel}
              </Button>
            </div>
          </form>
        </BaseAlert.Popup>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  );
}
