import { Document } from "yaml";
import type { ConfigDocument } from "./config-document.schema";

const ORDER = [
  "providers",
  "profiles",
  "models",
  "prices",
  "agents",
  "supervisor",
  "maxRounds",
  "maxDepth",
  "workflows",
] as const satisfies readonly (keyof ConfigDocument)[];

/** A document as fresh YAML in block style, without comments; an empty one is an empty text. */
export function formatConfigDocument(document: ConfigDocument): string {
  const entries = ORDER.flatMap((key) => (document[key] === undefined ? [] : [[key, document[key]] as const]));
  if (entries.length === 0) return "";
  const yaml = new Document(Object.fromEntries(entries), { aliasDuplicateObjects: false });
  return yaml.toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: 1_000_000, collectionStyle: "block" });
}
