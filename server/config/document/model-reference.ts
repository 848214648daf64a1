/** How `provider/model` may be written, wherever it stands in the document. */
import { LONGEST_MODEL, splitModelReference } from "../config.rules";
import { hasControlCharacter } from "../secret-reference";

export interface ReferenceFault {
  reason: string;
  sentence: string;
  /** Characters. */
  most?: string;
}

/** What is wrong with a text that is to be `provider/model`; null when nothing is. The sentence never repeats it: anything may have been pasted here. */
export function referenceFault(text: string): ReferenceFault | null {
  const parts = splitModelReference(text);
  return parts ? partsFault(parts) : missingSide(text);
}

function missingSide(text: string): ReferenceFault {
  if (text.trim() === "") return { reason: "empty", sentence: "There is no model here; write provider/model." };
  if (text.startsWith("/"))
    return { reason: "no_provider", sentence: "The provider is missing before the slash; write provider/model." };
  if (text.endsWith("/")) return { reason: "no_model", sentence: "The model is missing after the slash; write provider/model." };
  return { reason: "no_slash", sentence: "A model is named with its provider; write provider/model, with a slash between." };
}

/** What no name ends with: left over from quotes, a list or a sentence. Not `+`, which some names have. */
const STRAY_END = /["'`“”‘’,;:.|!?=*\\/，；：。、！？]$/u;
const BRACKETS = { ")": "(", "]": "[", "}": "{", ">": "<" } as const;

/** At its end: a mark, or a bracket that nothing opens. Brackets some names have, in pairs. */
function hasStrayMark(model: string): boolean {
  const last = model.at(-1);
  if (STRAY_END.test(model)) return true;
  const count = (mark: string) => model.split(mark).length;
  return Object.entries(BRACKETS).some(([close, open]) => last === close && count(close) > count(open));
}

function partsFault({ provider, model }: { provider: string; model: string }): ReferenceFault | null {
  if (provider !== provider.trim() || model !== model.trim())
    return { reason: "blanks", sentence: "Blanks stand around the provider or the model; remove them." };
  if (model.length > LONGEST_MODEL)
    return {
      reason: "length",
      most: String(LONGEST_MODEL),
      sentence: `The name of a model has at most ${LONGEST_MODEL} characters.`,
    };
  if (hasStrayMark(model))
    return {
      reason: "stray_mark",
      sentence: "The name of the model ends with a mark that belongs to no name, or a bracket that nothing opens; remove it.",
    };
  if (hasControlCharacter(model))
    return { reason: "control", sentence: "The name of the model holds a line break or another control character; remove it." };
  return null;
}
