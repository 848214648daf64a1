"use client";

import { Bot } from "lucide-react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { paths } from "@/components/paths";
import { ButtonLink } from "@/components/ui/button";
import { CodeBlock } from "@/components/ui/code-block";
import { EmptyState } from "@/components/ui/empty-state";

/** The names of the profiles are those of the providers, so that nothing else has to be said. */
const EXAMPLE = `providers:
  codex:
    apiKey: env:OPENAI_API_KEY
  deepseek:
    apiKey: env:DEEPSEEK_API_KEY
  minimax-m3:
    apiKey: env:MINIMAX_API_KEY
agents:
  # Folders that runs may name as their workspace.
  workspaces: [/srv/repos]
  # The widest that a run may ask for: read-only, workspace-write or danger-full-access.
  sandbox: workspace-write
  network: false
`;

/** What is missing before an agent run can be started, with what to add. */
export function NoAgentProvider({ forbidden }: { forbidden: readonly string[] }) {
  const { t, formatList } = useI18n();
  return (
    <div className="rounded-lg border border-line bg-surface shadow-panel">
      <EmptyState
        icon={<Bot aria-hidden className="size-8" />}
        title={<h2>{t("newAgentRun.none")}</h2>}
        actions={
          <ButtonLink href={paths.config("yaml")} variant="primary">
            {t("newAgentRun.openYaml")}
          </ButtonLink>
        }
      >
        <p>
          {forbidden.length > 0 ? t("newAgentRun.noneForbidden", { names: formatList(forbidden) }) : t("newAgentRun.noneText")}
        </p>
        {forbidden.length === 0 && (
          <div className="mt-4 text-left">
            <CodeBlock text={EXAMPLE} label={t("newAgentRun.yaml")} copyLabel={t("newAgentRun.copyYaml")} />
          </div>
        )}
      </EmptyState>
    </div>
  );
}
