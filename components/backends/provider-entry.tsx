"use client";

import { Activity, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useRef } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { serverSentence } from "@/components/i18n/server-words";
import { paths } from "@/components/paths";
import { BackendStatusBadge } from "@/components/status/backend-status-badge";
import { NameList } from "@/components/status/name-list";
import { NoSecretBadge, SecretBadge } from "@/components/status/secret-badge";
import { Badge } from "@/components/ui/badge";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import type { BackendProvider, BackendRow } from "@/server/runs/backend-view.schema";
import { providerStatus } from "./backend-groups";
import { CooldownList } from "./cooldown-list";
import { mismatchCount } from "./evidence";
import { EvidenceStrip } from "./evidence-strip";
import { ProviderFacts } from "./provider-facts";
import { useCheck } from "./use-provider-actions";

interface ProviderEntryProps {
  provider: BackendProvider;
  kind: BackendRow["backendKind"];
  /** True on a page of its own, where cooldowns have a board and the evidence a table. */
  isAlone?: boolean;
  /** Of its name. */
  heading?: "h2" | "h3";
}

/** One provider of a profile: what it is, how it is doing, and "Check now". */
export function ProviderEntry({ provider, kind, isAlone = false, heading: Heading = "h3" }: ProviderEntryProps) {
  const { t } = useI18n();
  const name = useRef<HTMLHeadingElement>(null);
  const { isPending, said, check } = useCheck(provider.name);
  const status = providerStatus(provider);
  const reason = provider.health?.reason ?? "";
  const mismatches = mismatchCount(provider);
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72 space-y-1">
          <div className="flex flex-wrap items-center gap-2">
            <Heading ref={name} tabIndex={-1} className="break-words font-semibold">
              {provider.name}
            </Heading>
            <BackendStatusBadge status={status} />
            {mismatches > 0 && (
              <Badge tone="warning" icon={<TriangleAlert aria-hidden className="size-3.5" />}>
                {t("backends.mismatches", { count: mismatches })}
              </Badge>
            )}
            {provider.secrets.length === 0 ? (
              <NoSecretBadge kind={kind} />
            ) : (
              provider.secrets.map((secret) => <SecretBadge key={secret.name} {...secret} />)
            )}
          </div>
          {reason !== "" && <p className="break-words text-ink-soft">{serverSentence(t, reason)}</p>}
          <ProviderUse provider={provider} />
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            size="sm"
            icon={<Activity aria-hidden className="size-3.5" />}
            pending={isPending}
            aria-label={t("backends.checkOf", { provider: provider.name })}
            onClick={() => check()}
          >
            {t(isPending ? "backends.checking" : "backends.check")}
          </Button>
          <span role="status" className="sr-only">
            {said}
          </span>
        </div>
      </div>
      {!isAlone && <CooldownList cooldowns={provider.cooldowns} onCleared={() => name.current?.focus()} />}
      <ProviderFacts provider={provider} />
      {!isAlone && <EvidenceStrip provider={provider} />}
    </div>
  );
}

/** Where it is, and what it is there for. */
function ProviderUse({ provider }: { provider: BackendProvider }) {
  const { t } = useI18n();
  const { baseUrl, scenes } = provider;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-faint text-xs">
      {baseUrl !== null && (
        <code className="break-words font-mono">
          <BreakableName name={baseUrl} />
        </code>
      )}
      <span>
        {scenes.length === 0 ? (
          t("backends.noScene")
        ) : (
          <>
            {t("backends.scenes", { count: scenes.length })} <NameList names={scenes} />
          </>
        )}
      </span>
      <Link
        href={paths.runs({ backend: provider.name })}
        className="inline-flex items-center rounded-sm text-ink-soft underline touch:min-h-9"
      >
        {t("backends.runsOf", { provider: provider.name })}
      </Link>
    </p>
  );
}
