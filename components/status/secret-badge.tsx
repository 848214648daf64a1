"use client";

import { KeyRound } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Badge } from "@/components/ui/badge";
import { type BackendKind, mayTakeKey } from "@/server/config/backend-kind.rules";
import { isUsableSecret, type SecretState } from "@/server/config/config.rules";

interface SecretBadgeProps {
  /** As the settings call it. */
  name: string;
  /** Where the value is read from, such as `env:LLM_API_KEY`; never the value. */
  reference: string;
  state: SecretState;
}

/** A secret by its reference, and whether it is there. */
export function SecretBadge({ name, reference, state }: SecretBadgeProps) {
  const { t } = useI18n();
  const words = { reference, state: t(`keyState.${state}`) };
  return (
    <Badge
      tone={isUsableSecret(state) ? "success" : "danger"}
      icon={<KeyRound aria-hidden className="size-3 shrink-0" />}
      className="h-auto! min-h-5.5 max-w-full whitespace-normal! break-all py-0.5"
    >
      {name === "apiKey" ? t("keyState.named", words) : t("keyState.other", { name, ...words })}
    </Badge>
  );
}

/** What has none says whether it could take one: an empty place would leave it open. */
export function NoSecretBadge({ kind }: { kind: BackendKind }) {
  const { t } = useI18n();
  return (
    <Badge icon={<KeyRound aria-hidden className="size-3" />}>
      {t(mayTakeKey(kind) ? "keyState.optional" : "keyState.notNeeded")}
    </Badge>
  );
}
