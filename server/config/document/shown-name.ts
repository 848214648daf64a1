/** Names as sentences may show them: what looks like a key, or is no name at all, is replaced by a stand-in. */

const LONGEST_SHOWN = 63;
const STAND_IN = "…";
/** Names are words and versions; a long run of letters mixed with digits is a key, and so is what begins like one. */
const KEY_BEGINNING = /^(?:sk|rk|pk|gh[a-z]|gsk|hf|xai|pplx|glpat|AIza|AKIA|eyJ)[-_A-Za-z0-9]/;
const LONGEST_MIXED_RUN = 15;
const LONGEST_RUN = 31;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/i;

/**
 * The text itself, cut when it is long: who mistyped a name must find it again, whatever characters it has. `…` when it may be a
 * key or hold one (an assignment, an address with a user), or cannot stand in a line.
 */
export function shownName(text: string): string {
  if (/[\p{C}\p{Zl}\p{Zp}]/u.test(text) || /=|:\/\/\S*@/.test(text) || looksLikeKey(text)) return STAND_IN;
  const letters = [...text];
  return letters.length > LONGEST_SHOWN ? `${letters.slice(0, LONGEST_SHOWN).join("")}${STAND_IN}` : text;
}

/** True when the text can stand in a line that is to be copied into a document: a short name without special characters, and no key. */
export function isShowable(text: string): boolean {
  return text.length <= LONGEST_SHOWN && /^[\p{L}\p{N}._$<@:/ +*-]+$/u.test(text) && !looksLikeKey(text);
}

function looksLikeKey(text: string): boolean {
  return text
    .split(/[^-_.\p{L}\p{N}]/u)
    .some((part) => (part.length > 12 && KEY_BEGINNING.test(part)) || UUID.test(part) || hasKeyRun(part));
}

function hasKeyRun(text: string): boolean {
  return text
    .split(/[^A-Za-z0-9]/)
    .some((run) => run.length > LONGEST_RUN || (run.length > LONGEST_MIXED_RUN && /\d/.test(run) && /[A-Za-z]/.test(run)));
}

/** `models.extract.candidates[1]`. */
export function pathText(path: readonly (string | number)[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${part === "" ? STAND_IN : shownName(part)}`))
    .join("")
    .replace(/^\./, "");
}

/** The known name that was probably meant: the same letters in another writing, or at most two letters off. Null = none. */
export function nearestName(written: string, known: readonly string[]): string | null {
  const plain = plainLetters(written);
  const same = known.find((name) => plainLetters(name) === plain);
  if (same !== undefined) return same;
  const allowed = plain.length < 4 ? 1 : 2;
  let nearest: { name: string; distance: number } | null = null;
  for (const name of known) {
    if (Math.abs(name.length - written.length) > allowed || written.length > LONGEST_SHOWN) continue;
    const distance = editDistance(plain, plainLetters(name));
    if (distance <= allowed && distance < Math.min(plain.length, nearest?.distance ?? allowed + 1)) nearest = { name, distance };
  }
  return nearest?.name ?? null;
}

/** Those with the most letters in common with what was written first; the given order decides between equals. */
export function namesByLikeness(written: string, names: readonly string[]): string[] {
  const plain = plainLetters(written.slice(0, LONGEST_SHOWN));
  return names
    .map((name) => ({ name, distance: editDistance(plain, plainLetters(name.slice(0, LONGEST_SHOWN))) }))
    .toSorted((left, right) => left.distance - right.distance)
    .map(({ name }) => name);
}

function plainLetters(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, "");
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, at) => at);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const [above = 0, beside = 0, corner = 0] = [row[j], next[j - 1], row[j - 1]];
      next.push(Math.min(above + 1, beside + 1, corner + (left[i - 1] === right[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}

/** The variable that would hold a provider's key: `minimax-api` -> `MINIMAX_API_KEY`. */
export function suggestedVariable(provider: string): string {
  const word = shownName(provider)
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .replace(/(?:_?API)?(?:_?KEY)?$/, "");
  if (word === "") return "LLM_API_KEY";
  return `${/^\d/.test(word) ? "_" : ""}${word}_API_KEY`;
}
