"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import type { ConfigProblem } from "@/server/config/config.rules";

/** What the translated sentences name; the server gives those that belong to the code. */
const NAMES = ["key", "name", "provider", "profile", "kind", "line", "reference", "capability", "endpoint"] as const;

/** What is wrong, in the reader's language. The server's own sentence says more, in English. */
export function useProblemText(): (problem: ConfigProblem) => string {
  const { t, locale } = useI18n();
  return ({ code, details, message }) => {
    if (locale === "en") return message;
    const named = Object.fromEntries(NAMES.map((name) => [name, details[name] ?? t("common.none")]));
    const { meant, known } = details;
    return [
      t(`config.problem.${code}`, named),
      meant === undefined ? "" : t("config.problemMeant", { meant }),
      known === undefined || meant !== undefined ? "" : t("config.problemKnown", { known }),
    ].join("");
  };
}
