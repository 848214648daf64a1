"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import type { ConfigProblem } from "@/server/config/config.rules";
import { problemSentence } from "./problem-sentence";

/** What is wrong, in the reader's language. The server's own sentence is the English one; lines to copy follow on lines of their own. */
export function useProblemText(): (problem: ConfigProblem) => string {
  const { t, locale } = useI18n();
  return (problem) => (locale === "en" ? problem.message : problemSentence(t, problem));
}
