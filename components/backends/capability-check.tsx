"use client";

import { ListChecks } from "lucide-react";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { NativeSelect } from "@/components/ui/input";
import { CHECK_ANSWER_TOKENS, CHECK_CANCEL_TOKENS } from "@/server/backends/capability.rules";
import type { BackendProvider, BackendRow } from "@/server/runs/backend-view.schema";
import { useCheck } from "./use-provider-actions";

/** "Check capabilities": it costs a little, so it says how much and asks first. */
export function CapabilityCheck({ provider, row }: { provider: BackendProvider; row: BackendRow }) {
  const { t } = useI18n();
  const [isAsking, setIsAsking] = useState(false);
  const { isPending, said, check } = useCheck(provider.name);
  const models = modelsOf(provider, row);
  return (
    <>
      <Button
        size="sm"
        icon={<ListChecks aria-hidden className="size-3.5" />}
        pending={isPending}
        disabledReason={models.length === 0 ? t("backends.reason.noModel", { provider: provider.name }) : null}
        aria-label={t("backends.checkCapabilitiesOf", { provider: provider.name })}
        onClick={() => setIsAsking(true)}
      >
        {t(isPending ? "backends.checking" : "backends.checkCapabilities")}
      </Button>
      <span role="status" className="sr-only">
        {said}
      </span>
      {isAsking && (
        <CapabilityCheckDialog
          provider={provider.name}
          models={models}
          isFree={row.transport === "in-process"}
          onConfirm={(model) => {
            setIsAsking(false);
            check({ model, capabilities: true });
          }}
          onClose={() => setIsAsking(false)}
        />
      )}
    </>
  );
}

/** Those that scenes ask of it, and its profile's usual one. */
function modelsOf({ models }: BackendProvider, { defaultModel }: BackendRow): string[] {
  return [...new Set(defaultModel === null ? models : [...models, defaultModel])];
}

interface CapabilityCheckDialogProps {
  provider: string;
  models: readonly string[];
  /** Nobody is paid for its answers. */
  isFree: boolean;
  onConfirm: (model: string) => void;
  onClose: () => void;
}

function CapabilityCheckDialog({ provider, models, isFree, onConfirm, onClose }: CapabilityCheckDialogProps) {
  const { t } = useI18n();
  const [model, setModel] = useState(models[0] ?? "");
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("backends.checkCapabilitiesTitle", { model: `${provider}/${model}` })}
      description={
        isFree
          ? t("backends.checkCapabilitiesFree")
          : t("backends.checkCapabilitiesCost", { tokens: CHECK_ANSWER_TOKENS + CHECK_CANCEL_TOKENS })
      }
      confirmLabel={t("backends.checkCapabilities")}
      onConfirm={() => onConfirm(model)}
    >
      {models.length > 1 && (
        <Field label={t("backends.checkedModel")}>
          {(control) => (
            <NativeSelect {...control} value={model} onChange={(event) => setModel(event.target.value)}>
              {models.map((each) => (
                <option key={each} value={each}>
                  {each}
                </option>
              ))}
            </NativeSelect>
          )}
        </Field>
      )}
    </ConfirmDialog>
  );
}
