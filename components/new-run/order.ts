import { sourceDateSchema } from "@/server/artifacts/request-artifact.schema";
import { type DistillOrder, MAX_RUN_BYTES, type RunOptions, runOptionsSchema } from "@/server/runs/run.schema";
import { changedOptions, type Draft, OPTION_NAMES, type OptionName } from "./draft";
import { dateInFileName } from "./file-date";

/** The pasted text needs a file name on its way. */
const PASTED_NAME = "pasted-text.md";
const CHECKED = runOptionsSchema.shape;

/** What keeps the draft from being an order. */
export interface DraftProblems {
  options: Partial<Record<OptionName, { min: number; max: number }>>;
  date: boolean;
  tooLarge: boolean;
  noText: boolean;
}

export function optionRange(name: OptionName): { min: number; max: number } {
  const number = CHECKED[name].unwrap();
  return { min: number.minValue ?? 0, max: number.maxValue ?? Number.MAX_SAFE_INTEGER };
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
    if (entered !== "" && !CHECKED[name].safeParse(Number(entered)).success) options[name] = optionRange(name);
  }
  return {
    options,
    date: draft.date !== "" && !sourceDateSchema.safeParse(draft.date).success,
    tooLarge: draftBytes(draft) > MAX_RUN_BYTES,
    noText: draft.text.trim() === "" && draft.documents.length === 0,
  };
}

export function hasFieldProblems(problems: DraftProblems): boolean {
  return problems.date || Object.keys(problems.options).length > 0;
}

/** The date a document is wanted under: the operator's, else the one in its name, else the run's, else the server's today (null). */
function wantedDate(document: { name: string; date: string }, runDate: string): string | null {
  const chosen = document.date || dateInFileName(document.name) || runDate;
  return chosen === "" ? null : chosen;
}

/** The draft as the API takes it. Only for a draft without problems. */
export function orderOf(draft: Draft): DistillOrder {
  const pasted = draft.text.trim() === "" ? [] : [{ name: PASTED_NAME, text: draft.text, date: "" }];
  const options: Partial<RunOptions> = {};
  for (const name of changedOptions(draft)) options[name] = Number(draft.options[name]);
  return {
    ...(draft.name.trim() === "" ? {} : { name: draft.name.trim() }),
    ...(draft.backend === "" ? {} : { backend: draft.backend }),
    ...(draft.model.trim() === "" ? {} : { model: draft.model.trim() }),
    ...(Object.keys(options).length === 0 ? {} : { options }),
    documents: [...pasted, ...draft.documents].map((document) => {
      const wanted = wantedDate(document, draft.date);
      return { name: document.name, text: document.text, ...(wanted === null ? {} : { sourceDate: wanted }) };
    }),
  };
}
