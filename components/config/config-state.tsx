"use client";

import { createContext, useContext } from "react";
import type { ConfigEvaluation, ConfigFileView, RevisionView } from "@/server/runs/config-view.schema";
import type { DocumentChoice } from "./document-choice";
import type { ConfigDraftState } from "./use-config-draft";

export interface ConfigState extends ConfigDraftState {
  /** The newest revision. */
  current: RevisionView & { file: ConfigFileView | null };
  /** The draft, or the newest revision when there is none. */
  choice: DocumentChoice;
  /** Of `choice`, or of the one before it while the answer is under way; undefined before the first answer. */
  evaluation: ConfigEvaluation | undefined;
  isOutdated: boolean;
  /** Somebody saved a revision after the draft was started. */
  isStale: boolean;
  openSave: () => void;
}

const ConfigContext = createContext<ConfigState | null>(null);

export const ConfigStateProvider = ConfigContext.Provider;

/** What all tabs of the configuration work on. */
export function useConfig(): ConfigState {
  const state = useContext(ConfigContext);
  if (state === null) throw new Error("ConfigFrame is missing above this component");
  return state;
}
