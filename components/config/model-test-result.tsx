"use client";

import { CircleCheck, CircleX, X } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { useErrorText } from "@/components/trpc/use-error-text";
import { IconButton } from "@/components/ui/button";
import type { ModelTest } from "@/server/runs/config-view.schema";
import { ModelName } from "./model-button";

interface ModelTestResultProps {
  result: ModelTest | undefined;
  /** Why the test itself could not be made. */
  error: unknown;
  onDismiss: () => void;
}

/** How one tiny call went. */
export function ModelTestResult({ result, error, onDismiss }: ModelTestResultProps) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const isGood = result?.ok === true;
  const failed = result === undefined && error !== null ? errorText(error) : null;
  return (
    <div
      role="status"
      className={`${isGood ? "tone-success" : "tone-danger"} flex items-start gap-2 rounded-md bg-tone-soft px-3 py-2 text-xs`}
    >
      {isGood ? (
        <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
      ) : (
        <CircleX aria-hidden className="mt-0.5 size-4 shrink-0 text-tone" />
      )}
      <div className="min-w-0 flex-1 space-y-0.5">
        {failed !== null && (
          <p className="break-words">
            <span className="font-medium text-tone">{failed.title}</span> <span className="text-ink-soft">{failed.detail}</span>
          </p>
        )}
        {result !== undefined && <Outcome result={result} />}
      </div>
      <IconButton size="sm" label={t("common.close")} icon={<X aria-hidden className="size-3.5" />} onClick={onDismiss} />
    </div>
  );
}

function Outcome({ result }: { result: ModelTest }) {
  const { t, formatDuration, formatNumber } = useI18n();
  const parts = [
    t("config.test.latency", { time: formatDuration(result.latencyMs) }),
    result.firstTokenMs === null ? null : t("config.test.firstToken", { time: formatDuration(result.firstTokenMs) }),
    result.usage === null
      ? null
      : t("config.test.tokens", {
          prompt: formatNumber(result.usage.promptTokens),
          completion: formatNumber(result.usage.completionTokens),
        }),
  ].filter((part) => part !== null);
  const model = result.reference.slice(result.reference.indexOf("/") + 1);
  return (
    <>
      <p className="break-words">
        <span className="font-medium text-tone">
          {result.ok
            ? t("config.test.worked")
            : result.failureKind === null
              ? t("config.test.failed")
              : t(`failure.title.${result.failureKind}`)}
        </span>{" "}
        <ModelName reference={result.reference} /> <span className="text-ink-soft">{parts.join(" · ")}</span>
      </p>
      {result.servedModel !== null && result.servedModel !== model && (
        <p className="break-all text-ink-soft">{t("config.test.served", { model: result.servedModel })}</p>
      )}
      {result.ok
        ? result.text !== "" && <p className="break-words text-ink-soft">“{result.text}”</p>
        : result.message !== "" && <p className="break-words text-ink-soft">{serverSentence(t, result.message)}</p>}
    </>
  );
}
