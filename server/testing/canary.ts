/** A key that is planted wherever text comes in, and where it must not be found afterwards, in whatever spelling. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Shaped like no known key, so that only its value gives it away, and different in every spelling. */
export const CANARY_KEY = 'cnry+7f3a"9b2c=4d5e 6f70~Zzq';

/** What stands in the base64 of any text with the key in it, whatever comes before. */
function base64Cores(): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before, "."), Buffer.from(CANARY_KEY)]).toString("base64");
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + CANARY_KEY.length) * 8) / 6));
  });
}

const SPELLINGS = {
  plain: CANARY_KEY,
  "JSON-escaped": JSON.stringify(CANARY_KEY).slice(1, -1),
  "JSON-escaped twice": JSON.stringify(JSON.stringify(CANARY_KEY)).slice(3, -3),
  "URL-encoded": encodeURIComponent(CANARY_KEY),
  "form-encoded": new URLSearchParams({ v: CANARY_KEY }).toString().slice(2),
  hex: Buffer.from(CANARY_KEY).toString("hex"),
};
const NEEDLES = [...Object.entries(SPELLINGS), ...base64Cores().map((core, at) => [`base64, alignment ${at}`, core] as const)];

/** Every spelling in one text, as a model or a provider might repeat it. */
export const EVERY_SPELLING = [
  ...Object.values(SPELLINGS),
  Buffer.from(CANARY_KEY).toString("base64"),
  Buffer.from(`a:${CANARY_KEY}`).toString("base64"),
  Buffer.from(`Bearer ${CANARY_KEY}`).toString("base64url"),
].join(" and then ");

export function spellingsIn(text: string): string[] {
  return NEEDLES.filter(([, needle]) => text.includes(needle)).map(([name]) => name);
}

export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** The files below the folder that hold the key, with its spellings in them. */
export function spellingsInFiles(folder: string): Record<string, string[]> {
  const found = filesBelow(folder).map(
    (file) => [path.relative(folder, file), spellingsIn(readFileSync(file, "latin1"))] as const,
  );
  return Object.fromEntries(found.filter(([, spellings]) => spellings.length > 0));
}
