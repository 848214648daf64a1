"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { useTRPC } from "@/components/trpc/trpc-client";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import { Panel } from "@/components/ui/panel";
import { useConfig } from "./config-state";
import { editsOfNew, formOfProfile } from "./provider-form";

/** Servers come and go: asked again when the page is looked at anew after so long. */
const STALE_MS = 30_000;
const NAMED_MODELS = 3;

/** Model servers that answer on this machine and that no provider uses yet, each one press away from being one. Nothing when there are none. */
export function LocalServers() {
  const { t, formatList, formatNumber } = useI18n();
  const api = useTRPC();
  const { evaluation, edit } = useConfig();
  const query = useQuery(api.config.localServers.queryOptions(undefined, { staleTime: STALE_MS, retry: false }));
  const declared = (evaluation?.providers ?? []).filter((provider) => provider.declared);
  const servers = (query.data?.items ?? []).flatMap((server) => {
    const profile = evaluation?.profiles.find(({ name }) => name === server.profile);
    // The draft may have it already.
    const isTaken = declared.some(({ profile: name, baseUrl }) => name === server.profile || baseUrl === server.baseUrl);
    return profile === undefined || isTaken ? [] : [{ ...server, about: profile }];
  });
  if (servers.length === 0) return null;
  return (
    <Panel title={t("config.local.title")} hint={t("config.local.hint")} flush>
      <ul aria-label={t("config.local.title")} className="divide-y divide-line">
        {servers.map(({ profile, baseUrl, models, modelCount, about }) => (
          <li key={profile} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
            <div className="min-w-0 flex-1 basis-64">
              <p>
                <span className="font-medium">{profile}</span>{" "}
                <code className="break-all font-mono text-ink-faint text-xs">{baseUrl}</code>
              </p>
              <p className="text-ink-soft text-xs">
                {modelCount === 0 ? (
                  t("config.local.noModels")
                ) : (
                  <BreakableName
                    name={t("config.local.models", {
                      count: modelCount,
                      models: formatList([
                        ...models.slice(0, NAMED_MODELS),
                        ...(modelCount > NAMED_MODELS
                          ? [t("config.local.more", { count: formatNumber(modelCount - NAMED_MODELS) })]
                          : []),
                      ]),
                    })}
                  />
                )}
              </p>
            </div>
            <Button
              size="sm"
              icon={<Plus aria-hidden className="size-3.5" />}
              onClick={() =>
                edit(
                  editsOfNew(
                    formOfProfile(
                      about,
                      declared.map(({ name }) => name),
                    ),
                  ),
                )
              }
            >
              {t("config.local.add", { profile })}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
