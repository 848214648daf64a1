import type { Secret } from "@/server/shared/secret";

const MASK = "[redacted]";

/** Takes a key out of bytes that come in pieces. */
export interface EchoFilter {
  push(piece: Buffer): Buffer;
  /** What was held back. */
  end(): Buffer;
}

/**
 * The key as it stands, and as JSON with escaped slashes writes it. Only an end that may be the beginning of a key waits for the
 * next piece: what is no key is passed on at once.
 */
export function createEchoFilter(key: Secret): EchoFilter {
  // Bytes as characters: keys are ASCII, and no byte of another character is taken for one of theirs.
  const plain = Buffer.from(key.expose(), "utf8").toString("latin1");
  const forms = [...new Set([plain, plain.replaceAll("/", "\\/")])].sort((a, b) => b.length - a.length);
  let held = "";
  return {
    push(piece) {
      let text = held + piece.toString("latin1");
      for (const form of forms) text = text.replaceAll(form, MASK);
      const keep = Math.max(...forms.map((form) => beginningAtEnd(text, form)));
      held = keep === 0 ? "" : text.slice(-keep);
      return Buffer.from(keep === 0 ? text : text.slice(0, -keep), "latin1");
    },
    end() {
      const rest = Buffer.from(held, "latin1");
      held = "";
      return rest;
    },
  };
}

/** How many characters at the end of the text are the beginning of the form. */
function beginningAtEnd(text: string, form: string): number {
  for (let length = Math.min(form.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(form.slice(0, length))) return length;
  return 0;
}
