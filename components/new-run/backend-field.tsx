"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import type { MessageKey } from "@/components/i18n/messages";
import { backendAbout } from "@/components/i18n/server-words";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Badge } from "@/components/ui/badge";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import type { BackendView } from "@/server/runs/run.schema";

const STATE_WORDS: ReadonlyMap<string, MessageKey> = new Map([
  ["set", "newRun.key.set"],
  ["missing", "newRun.key.missing"],
  ["empty", "newRun.key.empty"],
  ["whitespace", "newRun.key.whitespace"],
  ["malformed", "newRun.key.malformed"],
]);

interface BackendFieldsProps {
  /** Empty = the default one. */
  backend: string;
  model: string;
  onBackend: (backend: string) => void;
  onModel: (model: string) => void;
}

/** Backend and model, with what the backend is and whether its keys are there. */
export function BackendFields({ backend, model, onBackend, onModel }: BackendFieldsProps) {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  const query = useQuery(api.backends.list.queryOptions());
  if (query.isError) {
    return (
      <ErrorState
        title={t("newRun.backendsFailed")}
        message={errorText(query.error).title}
        retrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  const backends = query.data ?? [];
  const chosen = backends.find((each) => (backend === "" ? each.isDefault : each.name === backend));
  return (
    <>
      <Field label={t("newRun.backend")}>
        {(control) =>
          query.isPending ? (
            <Skeleton className="h-9 touch:h-11" />
          ) : (
            <Select
              {...control}
              value={chosen?.name ?? backend}
              onValueChange={onBackend}
              options={backends.map((each) => ({
                value: each.name,
                label: each.isDefault ? `${each.name} (${t("newRun.isDefault")})` : each.name,
                hint: backendAbout(t, each),
              }))}
            />
          )
        }
      </Field>
      <div className="min-h-16">{chosen && <BackendNote backend={chosen} />}</div>
      <Field label={t("newRun.model")} hint={chosen ? t("newRun.modelHint", { model: chosen.defaultModel }) : " "}>
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            placeholder={chosen?.defaultModel ?? ""}
            value={model}
            onChange={(event) => onModel(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

function BackendNote({ backend }: { backend: BackendView }) {
  const { t } = useI18n();
  return (
    <div className="space-y-1.5 text-xs">
      <p className="text-ink-soft">{backendAbout(t, backend)}</p>
      <div className="flex flex-wrap gap-1.5">
        {backend.secrets.length === 0 && (
          <Badge icon={<KeyRound aria-hidden className="size-3" />}>{t("newRun.noKeyNeeded")}</Badge>
        )}
        {backend.secrets.map((secret) => (
          <Badge
            key={secret.name}
            tone={secret.state === "set" ? "success" : "warning"}
            icon={<KeyRound aria-hidden className="size-3" />}
          >
            {t("newRun.key", { reference: secret.reference, state: t(STATE_WORDS.get(secret.state) ?? "newRun.key.unknown") })}
          </Badge>
        ))}
      </div>
      {backend.secrets.some((secret) => secret.state !== "set") && (
        <p className="tone-warning text-tone">{t("newRun.keyProblem")}</p>
      )}
    </div>
  );
}
