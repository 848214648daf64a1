"use client";

import { FolderOpen, Plus, X } from "lucide-react";
import { useState } from "react";
import { useI18n } from "@/components/i18n/i18n-provider";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { addWorkspace, folderProblem, removeWorkspace } from "./agent-rules";
import { useConfig } from "./config-state";

/** Folders under which agents may work, as chips; one more is typed and added. */
export function WorkspaceList({ workspaces }: { workspaces: readonly string[] }) {
  const { t } = useI18n();
  const { editPlace } = useConfig();
  const [entered, setEntered] = useState("");
  const folder = entered.trim();
  const problem = folder === "" ? null : folderProblem(folder, workspaces);
  const add = () => {
    if (folder === "" || problem !== null) return;
    editPlace(addWorkspace(workspaces, folder));
    setEntered("");
  };
  return (
    <div className="min-w-0">
      {workspaces.length > 0 && (
        <ul aria-label={t("configAgents.workspaces")} className="mb-2 flex flex-wrap gap-1.5">
          {workspaces.map((each, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a folder may stand in the document twice, and chips keep no state.
              key={`${index} ${each}`}
              className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line bg-hover py-0.5 pr-1 pl-2.5 text-sm"
            >
              <FolderOpen aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
              <span className="min-w-0 break-all font-mono text-xs">{each}</span>
              <button
                type="button"
                aria-label={t("configAgents.removeWorkspace", { folder: each })}
                onClick={() => editPlace(removeWorkspace(workspaces, index))}
                className="grid size-6 shrink-0 place-items-center rounded-full text-ink-soft hover:bg-surface hover:text-ink touch:size-9"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Field
        label={t("configAgents.addWorkspace")}
        hint={problem === null ? t(workspaces.length === 0 ? "configAgents.noWorkspaces" : "configAgents.workspacesHint") : null}
        error={problem === null ? null : t(`configAgents.folder.${problem}`)}
      >
        {(control) => (
          <span className="flex gap-2">
            <Input
              {...control}
              autoComplete="off"
              spellCheck={false}
              placeholder="/srv/repositories"
              value={entered}
              onChange={(event) => setEntered(event.target.value)}
              onKeyDown={(event) => {
                if (event.key === "Enter") add();
              }}
              className="font-mono"
            />
            <Button onClick={add} icon={<Plus aria-hidden className="size-4" />}>
              {t("configAgents.add")}
            </Button>
          </span>
        )}
      </Field>
    </div>
  );
}
