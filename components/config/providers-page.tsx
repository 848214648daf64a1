"use client";

import { FlaskConical, Pencil, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { backendAbout } from "@/components/i18n/server-words";
import { NameList } from "@/components/status/name-list";
import { Badge } from "@/components/ui/badge";
import { BreakableName } from "@/components/ui/breakable-name";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/dialog";
import { Panel } from "@/components/ui/panel";
import { SearchBox } from "@/components/ui/search-box";
import { Skeleton } from "@/components/ui/skeleton";
import { splitModelReference } from "@/server/config/config.rules";
import type { ProviderRow } from "@/server/runs/config-view.schema";
import { useConfig } from "./config-state";
import { ProviderStateBadge } from "./key-state-badge";
import { LocalServers } from "./local-servers";
import { ModelTestResult } from "./model-test-result";
import { ProviderDialog } from "./provider-dialog";
import { usedReferences } from "./scene-edits";
import { Unreadable } from "./unreadable";
import { useModelTest } from "./use-model-test";
import { useProblemText } from "./use-problem-text";

/** So many providers are found by looking. */
const FILTER_FROM = 8;

type Opened = { kind: "add" } | { kind: "edit" | "remove"; provider: ProviderRow };

/** Credentials and addresses, under names that scenes use. */
export function ProvidersPage() {
  const { t } = useI18n();
  const { evaluation, isOutdated, isEditing } = useConfig();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [filter, setFilter] = useState("");
  if (evaluation === undefined) {
    return (
      <div role="status" aria-label={t("common.loading")}>
        <Skeleton className="h-96" />
      </div>
    );
  }
  if (evaluation.providers.length === 0) return <Unreadable />;
  const wanted = filter.trim().toLowerCase();
  const rows = evaluation.providers.filter((row) => `${row.name} ${row.profile} ${row.baseUrl}`.toLowerCase().includes(wanted));
  return (
    <>
      <Panel
        title={t("config.providers.title")}
        hint={t("config.providers.hint")}
        flush
        actions={
          <>
            {evaluation.providers.length >= FILTER_FROM && (
              <SearchBox size="sm" label={t("config.providers.filter")} value={filter} onChange={setFilter} />
            )}
            <Button size="sm" icon={<Plus aria-hidden className="size-3.5" />} onClick={() => setOpened({ kind: "add" })}>
              {t("config.provider.add")}
            </Button>
          </>
        }
      >
        <ul aria-label={t("config.providers.title")} aria-busy={isOutdated || isEditing} className="divide-y divide-line">
          {rows.map((provider) => (
            <ProviderItem
              key={provider.name}
              provider={provider}
              onEdit={() => setOpened({ kind: "edit", provider })}
              onRemove={() => setOpened({ kind: "remove", provider })}
            />
          ))}
        </ul>
        {rows.length === 0 && <p className="px-4 py-6 text-center text-ink-soft">{t("config.providers.noMatch", { filter })}</p>}
      </Panel>
      <LocalServers />
      {opened?.kind === "add" && <ProviderDialog provider={null} onClose={() => setOpened(null)} />}
      {opened?.kind === "edit" && <ProviderDialog provider={opened.provider} onClose={() => setOpened(null)} />}
      {opened?.kind === "remove" && <RemoveProvider provider={opened.provider} onClose={() => setOpened(null)} />}
    </>
  );
}

function RemoveProvider({ provider, onClose }: { provider: ProviderRow; onClose: () => void }) {
  const { t, formatList } = useI18n();
  const { edit } = useConfig();
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={t("config.provider.removeTitle", { name: provider.name })}
      description={
        provider.scenes.length === 0
          ? t("config.provider.removeUnused")
          : t("config.provider.removeUsed", { count: provider.scenes.length, scenes: formatList(provider.scenes) })
      }
      confirmLabel={t("config.provider.remove")}
      danger
      onConfirm={() => {
        edit([{ path: ["providers", provider.name] }]);
        onClose();
      }}
    />
  );
}

interface ProviderItemProps {
  provider: ProviderRow;
  onEdit: () => void;
  onRemove: () => void;
}

function ProviderItem({ provider, onEdit, onRemove }: ProviderItemProps) {
  const { t, formatNumber, formatDuration } = useI18n();
  const { evaluation } = useConfig();
  const problemText = useProblemText();
  const used = usedReferences(evaluation?.scenes ?? []).find((each) => splitModelReference(each)?.provider === provider.name);
  const reference = used ?? (provider.defaultModel === null ? null : `${provider.name}/${provider.defaultModel}`);
  const test = useModelTest({ reference: reference ?? "" });
  const path = `providers.${provider.name}`;
  const problems = evaluation?.problems.filter((problem) => problem.path === path || problem.path.startsWith(`${path}.`)) ?? [];
  const { requestMs, idleMs, connectMs } = provider.timeouts;
  return (
    <li aria-label={provider.name} className="space-y-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5">
        <p className="break-words font-medium">
          <BreakableName name={provider.name} />
        </p>
        <ProviderStateBadge provider={provider} />
        {!provider.declared && <Badge>{t("config.provider.builtIn")}</Badge>}
        <div className="ml-auto flex flex-wrap gap-1.5">
          <Button
            size="sm"
            icon={<FlaskConical aria-hidden className="size-3.5" />}
            aria-label={t("config.test.of", { scene: provider.name })}
            title={reference ?? ""}
            pending={test.isPending}
            disabledReason={reference === null ? t("config.provider.noModel") : null}
            onClick={test.run}
          >
            {t("config.test.button")}
          </Button>
          <Button
            size="sm"
            icon={<Pencil aria-hidden className="size-3.5" />}
            aria-label={t("config.provider.editTitle", { name: provider.name })}
            onClick={onEdit}
          >
            {t("config.provider.edit")}
          </Button>
          <Button
            size="sm"
            variant="ghost"
            icon={<Trash2 aria-hidden className="size-3.5" />}
            aria-label={t("config.provider.removeOf", { name: provider.name })}
            disabledReason={provider.declared ? null : t("config.provider.builtInStays")}
            onClick={onRemove}
          >
            {t("config.provider.remove")}
          </Button>
        </div>
      </div>
      <p className="break-words text-ink-soft text-xs">{backendAbout(t, provider)}</p>
      <dl className="flex flex-wrap gap-x-5 gap-y-1 text-xs">
        <Fact name={t("config.provider.profile")}>{provider.profile}</Fact>
        {provider.baseUrl !== null && (
          <Fact name={t("config.provider.baseUrl")}>
            <code className="break-words font-mono">
              <BreakableName name={provider.baseUrl} />
            </code>
          </Fact>
        )}
        {provider.apiKey !== null && (
          <Fact name={t("config.provider.apiKey")}>
            <code className="break-words font-mono">
              <BreakableName name={provider.apiKey} />
            </code>
          </Fact>
        )}
        <Fact name={t("config.provider.concurrency")}>{formatNumber(provider.concurrency)}</Fact>
        <Fact name={t("config.provider.timeouts")}>
          {t("config.provider.timeoutsOf", {
            request: formatDuration(requestMs),
            idle: formatDuration(idleMs),
            connect: formatDuration(connectMs),
          })}
        </Fact>
        <Fact name={t("config.provider.scenes")}>
          {provider.scenes.length === 0 ? t("config.provider.noScene") : <NameList names={provider.scenes} />}
        </Fact>
      </dl>
      {problems.map((problem) => (
        <p
          key={`${problem.code} ${problem.path} ${problem.message}`}
          className={`${problem.severity === "error" ? "tone-danger" : "tone-warning"} whitespace-pre-wrap break-words text-tone text-xs`}
        >
          {problemText(problem)}
        </p>
      ))}
      {(test.result !== undefined || test.error !== null) && (
        <ModelTestResult result={test.result} error={test.error} onDismiss={test.reset} />
      )}
    </li>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex min-w-0 gap-1.5">
      <dt className="shrink-0 text-ink-faint">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}
