"use client";

import { createContext, useContext } from "react";

/** The few words that primitives say by themselves; the primitives know no language, so the page's provider hands them in. */
export interface UiLabels {
  close: string;
  cancel: string;
  retry: string;
  copied: string;
  loading: string;
}

const UiLabelsContext = createContext<UiLabels | null>(null);

export const UiLabelsProvider = UiLabelsContext.Provider;

export function useUiLabels(): UiLabels {
  const labels = useContext(UiLabelsContext);
  if (labels === null) throw new Error("UiLabelsProvider is missing above this component");
  return labels;
}
