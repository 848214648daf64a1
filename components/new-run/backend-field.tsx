"use client";

import { useQuery } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { backendAbout } from "@/components/i18n/server-words";
import { useTRPC } from "@/components/trpc/trpc-client";
import { useErrorText } from "@/components/trpc/use-error-text";
import { Badge } from "@/components/ui/badge";
import { ErrorState } from "@/components/ui/error-state";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { Select } from "@/components/ui/select";
import { Skeleton } from "@/components/ui/skeleton";
import type { ProviderRow, SceneRow } from "@/server/runs/config-view.schema";

/** The scene a distill run asks for when nothing else is chosen. */
const USUAL_SCENE = "extract";
const SCENE = "scene:";
const PROVIDER = "provider:";

interface BackendFieldsProps {
  /** Empty = the usual scene. */
  scene: string;
  /** A provider by name, instead of a scene. */
  backend: string;
  model: string;
  onChoice: (choice: { scene: string; backend: string }) => void;
  onModel: (model: string) => void;
}

/** Who does the work: a scene of the configuration, or a provider for once; with what stands behind it and whether its key is there. */
export function BackendFields({ scene, backend, model, onChoice, onModel }: BackendFieldsProps) {
  const { t } = useI18n();
  const api = useTRPC();
  const errorText = useErrorText();
  const query = useQuery(api.config.overview.queryOptions());
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
  const scenes = query.data?.scenes ?? [];
  const providers = query.data?.providers.filter(({ status }) => status === "ready") ?? [];
  const chosenScene = backend === "" ? scenes.find((row) => row.scene === (scene === "" ? USUAL_SCENE : scene)) : undefined;
  const named = backend === "" ? chosenScene?.candidates[0]?.provider : backend;
  const provider = providers.find(({ name }) => name === named);
  const usualModel = backend === "" ? (chosenScene?.candidates[0]?.model ?? "") : (provider?.defaultModel ?? "");
  return (
    <>
      <Field label={t("newRun.backend")} hint={t("newRun.backendHint")}>
        {(control) =>
          query.isPending ? (
            <Skeleton className="h-9 touch:h-11" />
          ) : (
            <Select
              {...control}
              value={backend === "" ? `${SCENE}${scene === "" ? USUAL_SCENE : scene}` : `${PROVIDER}${backend}`}
              onValueChange={(value) =>
                onChoice(
                  value.startsWith(SCENE)
                    ? { scene: value.slice(SCENE.length), backend: "" }
                    : { scene: "", backend: value.slice(PROVIDER.length) },
                )
              }
              options={[
                ...scenes.map((row) => ({
                  value: `${SCENE}${row.scene}`,
                  label: t("newRun.scene", { scene: row.scene }),
                  hint: row.problem ?? modelsOf(row),
                })),
                ...providers.map((each) => ({
                  value: `${PROVIDER}${each.name}`,
                  label: t("newRun.provider", { provider: each.name }),
                  hint: backendAbout(t, each),
                })),
              ]}
            />
          )
        }
      </Field>
      <div className="min-h-16">{query.data && <ChoiceNote scene={chosenScene} provider={provider} />}</div>
      <Field label={t("newRun.model")} hint={usualModel === "" ? " " : t("newRun.modelHint", { model: usualModel })}>
        {(control) => (
          <Input
            {...control}
            maxLength={200}
            spellCheck={false}
            autoComplete="off"
            placeholder={usualModel}
            value={model}
            onChange={(event) => onModel(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

function modelsOf({ candidates }: SceneRow): string {
  return candidates.map(({ reference }) => reference).join(" → ");
}

function ChoiceNote({ scene, provider }: { scene: SceneRow | undefined; provider: ProviderRow | undefined }) {
  const { t } = useI18n();
  return (
    <div className="space-y-1.5 text-xs">
      {scene && (
        <p className={scene.problem === null ? "break-words text-ink-soft" : "tone-warning text-tone"}>
          {scene.problem ?? t(scene.inherited ? "newRun.sceneInherits" : "newRun.sceneAsks", { models: modelsOf(scene) })}
        </p>
      )}
      {provider && <p className="text-ink-soft">{backendAbout(t, provider)}</p>}
      {provider && (
        <div className="flex flex-wrap gap-1.5">
          {provider.apiKey === null ? (
            <Badge icon={<KeyRound aria-hidden className="size-3" />}>{t("newRun.noKeyNeeded")}</Badge>
          ) : (
            <Badge tone={isUsable(provider) ? "success" : "warning"} icon={<KeyRound aria-hidden className="size-3" />}>
              {t("newRun.key", { reference: provider.apiKey, state: t(`newRun.key.${provider.keyState ?? "unknown"}`) })}
            </Badge>
          )}
        </div>
      )}
      {provider && provider.apiKey !== null && !isUsable(provider) && (
        <p className="tone-warning text-tone">{t("newRun.keyProblem")}</p>
      )}
    </div>
  );
}

function isUsable({ keyState }: ProviderRow): boolean {
  return keyState === "set" || keyState === "stray_whitespace";
}
