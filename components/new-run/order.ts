import type { MessageKey } from "@/components/i18n/messages";
import { isSourceDate } from "@/server/artifacts/source-date.rules";
import { MAX_RUN_BYTES, RUN_OPTIONS, type RunOptions } from "@/server/runs/run.rules";
import type { DistillOrder } from "@/server/runs/run.schema";
import { changedOptions, type Draft, type DraftDocument, OPTION_NAMES, type OptionName } from "./draft";
import { dateInFileName } from "./file-date";

/** The pasted text needs a file name on its way. */
const PASTED_NAME = "pasted-text.md";

/** What keeps the draft from being an order. */
export interface DraftProblems {
  options: Partial<Record<OptionName, { min: number; max: number }>>;
  date: boolean;
  tooLarge: boolean;
  noText: boolean;
}

export function optionRange(name: OptionName): { min: number; max: number } {
  const { min, max } = RUN_OPTIONS[name];
  return { min, max };
}

function isInRange(name: OptionName, value: number): boolean {
  return Number.isInteger(value) && value >= RUN_OPTIONS[name].min && value <= RUN_OPTIONS[name].max;
}

export function textBytes(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

export function draftBytes(draft: Draft): number {
  return draft.documents.reduce((sum, document) => sum + document.bytes, textBytes(draft.text));
}

export function problemsOf(draft: Draft): DraftProblems {
  const options: DraftProblems["options"] = {};
  for (const name of OPTION_NAMES) {
    const entered = draft.options[name].trim();
    if (entered !== "" && !isInRange(name, Number(entered))) options[name] = optionRange(name);
  }
  return {
    options,
    date: draft.date !== "" && !isSourceDate(draft.date),
    tooLarge: draftBytes(draft) > MAX_RUN_BYTES,
    noText: draft.text.trim() === "" && draft.documents.length === 0,
  };
}

/** A field that keeps the draft from being an order; without a range it is the date. */
export interface WrongField {
  word: MessageKey;
  range: { min: number; max: number } | null;
}

/** The marked fields, in the order of the page. */
export function wrongFields(problems: DraftProblems): WrongField[] {
  const options = OPTION_NAMES.flatMap((name): WrongField[] => {
    const range = problems.options[name];
    return range === undefined ? [] : [{ word: `newRun.option.${name}`, range }];
  });
  return problems.date ? [{ word: "newRun.date", range: null }, ...options] : options;
}

export function hasFieldProblems(problems: DraftProblems): boolean {
  return problems.date || Object.keys(problems.options).length > 0;
}

/** The date a document is wanted under: the operator's, else the one in its name, else the run's, else the server's today (null). */
function wantedDate(document: { name: string; date: string }, runDate: string): string | null {
  const chosen = document.date || dateInFileName(document.name) || runDate;
  return chosen === "" ? null : chosen;
}

/** True when no other text of the draft has the document's date: it is a run of its own. */
export function isWholeRun(draft: Draft, document: DraftDocument): boolean {
  const wanted = wantedDate(document, draft.date);
  const isSame = (other: { name: string; date: string }) => wantedDate(other, draft.date) === wanted;
  const isPastedInto = draft.text.trim() !== "" && isSame({ name: PASTED_NAME, date: "" });
  return !isPastedInto && !draft.documents.some((other) => other.key !== document.key && isSame(other));
}

/** The draft as the API takes it. Only for a draft without problems. */
export function orderOf(draft: Draft): DistillOrder {
  const pasted = draft.text.trim() === "" ? [] : [{ name: PASTED_NAME, text: draft.text, date: "" }];
  const options: Partial<RunOptions> = {};
  for (const name of changedOptions(draft)) options[name] = Number(draft.options[name]);
  return {
    ...(draft.name.trim() === "" ? {} : { name: draft.name.trim() }),
    ...(draft.backend === "" ? {} : { backend: draft.backend }),
    ...(draft.backend !== "" || draft.scene === "" ? {} : { scene: draft.scene }),
    ...(draft.model.trim() === "" ? {} : { model: draft.model.trim() }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    documents: [...pasted, ...draft.documents].map((document) => {
      const wanted = wantedDate(document, draft.date);
      return { name: document.name, text: document.text, ...(wanted === null ? {} : { sourceDate: wanted }) };
    }),
  };
}
