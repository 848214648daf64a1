import { jsonFields } from "@/components/json-fields";
import { type ModelChoice, USUAL_CHOICE } from "@/components/run-actions/model-choice";
import { RUN_OPTION_DEFAULTS, type RunOptions } from "@/server/runs/run.rules";

export const OPTION_NAMES = [
  "chunkTokens",
  "concurrency",
  "maxAttempts",
  "timeoutMs",
  "backoffMs",
  "maxBackoffMs",
  "repairRounds",
  "maxTokens",
] as const satisfies readonly (keyof RunOptions)[];
export type OptionName = (typeof OPTION_NAMES)[number];

export interface DraftDocument {
  /** Only for lists of this page. */
  key: string;
  name: string;
  text: string;
  /** Of the file, UTF-8. */
  bytes: number;
  /** The operator's date; empty = the one in the name. */
  date: string;
}

/** All that the operator has entered, as entered: numbers are still text. Empty means "the usual". */
export interface Draft {
  text: string;
  documents: DraftDocument[];
  name: string;
  date: string;
  /** Empty = the usual one, unless a backend is named. */
  scene: string;
  backend: string;
  model: string;
  options: Record<OptionName, string>;
}

function areTexts(value: unknown, names: readonly string[]): boolean {
  const fields = jsonFields(value);
  return names.every((name) => typeof fields[name] === "string");
}

function isDraftDocument(value: unknown): boolean {
  return areTexts(value, ["key", "name", "text", "date"]) && Number.isSafeInteger(jsonFields(value).bytes);
}

/** A value that was stored as JSON, as a draft of this version; null when it is none. Options that came later are not entered yet. */
export function draftOf(value: unknown): Draft | null {
  const stored = jsonFields(value);
  const whole = { ...stored, options: { ...EMPTY_DRAFT.options, ...jsonFields(stored.options) } };
  return isDraft(whole) ? whole : null;
}

function isDraft(value: unknown): value is Draft {
  const { documents, options } = jsonFields(value);
  return (
    areTexts(value, ["text", "name", "date", "scene", "backend", "model"]) &&
    areTexts(options, OPTION_NAMES) &&
    Array.isArray(documents) &&
    documents.every(isDraftDocument)
  );
}

export const EMPTY_DRAFT: Draft = {
  text: "",
  documents: [],
  name: "",
  date: "",
  scene: "",
  backend: "",
  model: "",
  options: {
    chunkTokens: "",
    concurrency: "",
    maxAttempts: "",
    timeoutMs: "",
    backoffMs: "",
    maxBackoffMs: "",
    repairRounds: "",
    maxTokens: "",
  },
};

/** Options that differ from the product's. */
export function changedOptions(draft: Draft): OptionName[] {
  return OPTION_NAMES.filter((name) => {
    const entered = draft.options[name].trim();
    return entered !== "" && entered !== String(RUN_OPTION_DEFAULTS[name]);
  });
}

/** Who is to be asked, as it was entered. */
export function choiceOf({ scene, backend, model }: Draft): ModelChoice {
  if (backend !== "") return { by: "provider", provider: backend, model };
  return scene === "" ? { ...USUAL_CHOICE, model } : { by: "scene", scene, model };
}

/** The same as a draft keeps it: the usual scene is not named, so that an order stays short. */
export function namedBy(choice: ModelChoice): Pick<Draft, "scene" | "backend" | "model"> {
  switch (choice.by) {
    case "before":
      return { scene: "", backend: "", model: "" };
    case "scene":
      return { scene: choice.scene === USUAL_CHOICE.scene ? "" : choice.scene, backend: "", model: choice.model };
    case "provider":
      return { scene: "", backend: choice.provider, model: choice.model };
  }
}
