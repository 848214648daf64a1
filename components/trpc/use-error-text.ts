"use client";

import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import type { ErrorCode } from "@/server/shared/error-codes.rules";
import { errorCodeOf } from "./error-code";

export interface ErrorText {
  title: string;
  /** What the server said, in its own words. */
  detail: string;
}

/** Their sentence adds nothing for a reader of pages: it says where the log is, or how programs sign in. */
const SAID_ALL: ReadonlySet<ErrorCode> = new Set(["internal", "unauthorized"]);

/** What to show for a failed query or mutation. */
export function useErrorText(): (error: unknown) => ErrorText {
  const { t, locale } = useI18n();
  return (error) => {
    const code = errorCodeOf(error);
    if (code === null) {
      const answered =
        typeof error === "object" && error !== null && "data" in error && error.data !== null && error.data !== undefined;
      return answered
        ? { title: t("error.internal"), detail: error instanceof Error ? error.message : "" }
        : { title: t("error.network"), detail: t("error.networkDetail") };
    }
    const said = error instanceof Error ? error.message : "";
    const ours = serverSentence(t, said);
    // The server speaks English: between other words it is a quotation, but for what we can say.
    const message = locale === "en" || said === "" || ours !== said ? ours : `“${said}”`;
    return { title: t(`error.${code}`), detail: SAID_ALL.has(code) ? "" : message };
  };
}
