"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { askedBy, type ModelChoice } from "./model-choice";
import { useModelConfig } from "./use-model-config";

/** Why nothing can be sent with the choice, or null. A missing key is no refusal: it may be set before the request goes out. */
export function useChoiceRefusal(choice: ModelChoice): string | null {
  const { t } = useI18n();
  const { data } = useModelConfig({ enabled: choice.by !== "before" });
  const problem = data === undefined ? null : (askedBy(data, choice)?.problem ?? null);
  if (problem === null) return null;
  return problem.kind === "server"
    ? serverSentence(t, problem.message)
    : t("modelChoice.modelNeeded", { provider: problem.provider });
}
