/** Every spelling a known secret value can take in a log: escaped, encoded, or as a part of a longer base64 text. */

/** A value shorter than this is masked only where it stands alone: as a substring it would mask ordinary words. */
export const FULL_MATCH_LENGTH = 6;
/** A value shorter than this is not masked by value at all ("abc" is everywhere); labels before it still mask it. */
export const SHORTEST_SECRET = 4;
/** Base64 cores shorter than this would meet ordinary text by chance. */
const SHORTEST_CORE = 8;
/** Lines of a multi-line secret (a key file) count as secrets of their own from here on. */
const SHORTEST_LINE = 16;

/** Spellings of one secret, longest first; the plain value is among them. Values under six characters have the plain one only. */
export function secretForms(value: string): string[] {
  const forms = new Set<string>([value]);
  const trimmed = value.trim();
  if (trimmed.length >= FULL_MATCH_LENGTH) {
    for (const plain of [trimmed, ...longLines(trimmed)]) addForms(forms, plain);
  }
  return [...forms].filter((form) => form.trim().length >= SHORTEST_SECRET).sort((left, right) => right.length - left.length);
}

function longLines(value: string): string[] {
  if (!/[\r\n]/.test(value)) return [];
  return value
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line.length >= SHORTEST_LINE && !line.startsWith("-----"));
}

function addForms(forms: Set<string>, plain: string): void {
  forms.add(plain);
  const json = JSON.stringify(plain).slice(1, -1);
  forms.add(json);
  forms.add(JSON.stringify(json).slice(1, -1));
  forms.add(json.replaceAll("/", "\\/"));
  forms.add(json.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`));
  forms.add(
    plain
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
      .replaceAll("'", "&#39;"),
  );
  const bytes = Buffer.from(plain, "utf8");
  const text = bytes.toString("utf8");
  for (const encoded of [encodeURIComponent(text), new URLSearchParams({ v: text }).toString().slice(2)]) {
    forms.add(encoded);
    forms.add(encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()));
    forms.add(encodeURIComponent(encoded));
  }
  const hex = bytes.toString("hex");
  forms.add(hex);
  forms.add(hex.toUpperCase());
  for (const core of base64Cores(bytes)) {
    forms.add(core);
    forms.add(core.replaceAll("+", "-").replaceAll("/", "_"));
    forms.add(encodeURIComponent(core));
    forms.add(core.replaceAll("/", "\\/"));
  }
}

/**
 * The characters that stand in the base64 of any text with these bytes in it, at each of the three alignments:
 * without the characters at both ends that share bits with the neighbours.
 */
function base64Cores(bytes: Buffer): string[] {
  const cores: string[] = [];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const last = Math.floor(((before + bytes.length) * 8) / 6);
    const core = encoded.slice(first, last);
    if (core.length >= SHORTEST_CORE) cores.push(core);
  }
  return cores;
}
