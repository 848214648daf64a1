"use client";

import { TriangleAlert } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { backendAbout, serverSentence } from "@/components/i18n/server-words";
import { NoSecretBadge, SecretBadge } from "@/components/status/secret-badge";
import { BreakableName } from "@/components/ui/breakable-name";
import { isUsableSecret, splitModelReference } from "@/server/config/config.rules";
import type { ConfigEvaluation, ProviderRow } from "@/server/runs/config-view.schema";
import type { ModelAvailability } from "@/server/runs/model-availability.schema";
import { AvailabilityBadge } from "./availability-badge";
import { askedBy, type ModelChoice } from "./model-choice";
import { useAvailability } from "./use-availability";

/** The models a choice comes to, what each is, and whether its key is there. */
export function AskedModels({ config, choice }: { config: ConfigEvaluation; choice: ModelChoice }) {
  const { t } = useI18n();
  const asked = askedBy(config, choice);
  const availability = useAvailability(asked?.references ?? []);
  if (asked === null) return null;
  const { references, strategy, inherited, problem } = asked;
  return (
    <div className="space-y-1.5 text-xs" aria-live="polite">
      {problem !== null && (
        <p className="tone-warning flex items-start gap-1.5 text-tone">
          <TriangleAlert aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {problem.kind === "server"
            ? serverSentence(t, problem.message)
            : t("modelChoice.modelNeeded", { provider: problem.provider })}
        </p>
      )}
      {references.length > 0 && (
        <>
          <p className="text-ink-soft">
            {t(references.length === 1 ? "modelChoice.asks" : `modelChoice.strategy.${strategy}`)}{" "}
            {inherited && <span className="text-ink-faint">{t("modelChoice.inherits")}</span>}
          </p>
          <ol className="space-y-1.5">
            {references.map((reference) => (
              <AskedModel
                key={reference}
                reference={reference}
                provider={config.providers.find(({ name }) => name === splitModelReference(reference)?.provider)}
                availability={availability.get(reference)}
              />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

interface AskedModelProps {
  reference: string;
  provider: ProviderRow | undefined;
  /** Undefined while it is not known. */
  availability: ModelAvailability | undefined;
}

function AskedModel({ reference, provider, availability }: AskedModelProps) {
  const { t } = useI18n();
  const state = provider?.keyState ?? null;
  // Without its key nothing else counts, and that is said already.
  const known = state === null || isUsableSecret(state) ? availability : undefined;
  return (
    <li className="space-y-0.5">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <code className="break-words font-medium font-mono">
          <BreakableName name={reference} />
        </code>
        {provider &&
          (provider.apiKey === null || state === null ? (
            <NoSecretBadge kind={provider.kind} />
          ) : (
            <SecretBadge name="apiKey" reference={provider.apiKey} state={state} />
          ))}
        {known && <AvailabilityBadge availability={known} />}
      </div>
      {provider && <p className="text-ink-faint">{backendAbout(t, provider)}</p>}
      {known && known.reason !== "" && <p className="break-words text-ink-soft">{serverSentence(t, known.reason)}</p>}
      {provider && state !== null && !isUsableSecret(state) && (
        <p className="tone-warning text-tone">{t("modelChoice.keyProblem", { provider: provider.name })}</p>
      )}
    </li>
  );
}
