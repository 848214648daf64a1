import { mark, type RedactedRange, type Redactor, replaceRanges } from "./redact";

/**
 * Redacts text that arrives in pieces. What comes out, joined, is what the redactor makes of the whole: a secret
 * split over any number of pieces never leaves in part. Two differences, both on the safe side: behind the BEGIN line
 * of a private key everything is covered up to its END line (32 KiB at most), and behind a secret of more than 512
 * characters everything up to the next blank or quote.
 */
export interface StreamRedactor {
  /** Text that is safe to show now; often empty, because the unfinished line is held back (up to `HELD_BACK`). */
  push(delta: string): string;
  /** The rest. Nothing may be pushed after it. */
  end(): string;
}

/** Characters of an unfinished line that are held back before text is let go at a blank. */
const HELD_BACK = 512;
/** Characters already let go that are still looked at, so that a label on the line before counts. */
const CONTEXT = 256;
/** No label and no marker is longer. */
const SHORT_REACH = 64;
/** A private key ends here at the latest, whether or not its END line came. */
const PEM_LIMIT = 32 * 1024;

const PEM_BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
const PEM_END = "-----END";
const RUN_END = /[\s"'`<>,;]/;

/**
 * States: `text` (normal), `run` (inside a secret longer than what is held back: its mark is out, the rest of the
 * unbroken run is dropped), `pem` (inside a private key: dropped until its END line).
 */
export function createStreamRedactor(redactor: Redactor): StreamRedactor {
  let state: "text" | "run" | "pem" = "text";
  let context = "";
  let pending = "";
  let dropped = 0;

  function release(end: number, found: readonly RedactedRange[]): string {
    const offset = context.length;
    const inside = found
      .filter((range) => range.end > offset && range.start < offset + end)
      .map((range) => ({ ...range, start: Math.max(range.start - offset, 0), end: Math.min(range.end - offset, end) }));
    const safe = replaceRanges(pending.slice(0, end), inside);
    forget(end);
    return safe;
  }

  /**
   * Drops the rest of an unbroken run; true when its end is known. Its last characters stay until then: another secret,
   * a label or a key block may begin in them.
   */
  function dropRun(final: boolean): boolean {
    const reach = redactor.reach(pending, Math.max(redactor.longestForm, SHORT_REACH));
    const runEnd = pending.search(RUN_END);
    const isSettled = final || (runEnd >= 0 && pending.length - runEnd >= reach);
    const end = runEnd < 0 ? pending.length : runEnd;
    if (!isSettled) {
      forget(Math.max(0, end - reach));
      return false;
    }
    const block = pending.lastIndexOf("-----BEGIN", end);
    let stop = block >= 0 ? Math.min(block, end) : end;
    for (const range of redactor.ranges(pending)) if (range.start < stop && stop < range.end) stop = range.end;
    forget(stop);
    return true;
  }

  function forget(length: number): void {
    context = (context + pending.slice(0, length)).slice(-CONTEXT);
    pending = pending.slice(length);
  }

  function drain(final: boolean): string {
    let out = "";
    for (;;) {
      if (state === "run") {
        if (!dropRun(final)) return out;
        state = "text";
      }
      if (state === "pem") {
        const end = pending.indexOf(PEM_END);
        if (end < 0 && !final && dropped < PEM_LIMIT) {
          const keep = Math.min(pending.length, PEM_END.length - 1);
          dropped += pending.length - keep;
          pending = pending.slice(pending.length - keep);
          return out;
        }
        pending = end < 0 ? "" : pending.slice(end);
        state = "text";
        context = "";
      }
      const begin = lastOpenPem(pending);
      if (begin >= 0) {
        // Everything up to the end of the BEGIN line is settled: a key follows, whatever comes.
        const head = pending.slice(begin);
        pending = pending.slice(0, begin);
        out += release(begin, redactor.ranges(context + pending)) + mark("private-key");
        pending = head;
        state = "pem";
        dropped = 0;
        continue;
      }
      if (final) return out + release(pending.length, redactor.ranges(context + pending));
      return out + releaseSettled();
    }
  }

  function releaseSettled(): string {
    const line = Math.max(pending.lastIndexOf("\n"), pending.lastIndexOf("\r")) + 1;
    if (pending.length - line <= HELD_BACK && line === 0) return "";
    const found = redactor.ranges(context + pending);
    const end = context.length + pending.length;
    const last = found.at(-1);
    if (pending.length - line > HELD_BACK && last && last.end === end && end - last.start > HELD_BACK) {
      const out = release(pending.length, found);
      state = "run";
      return out;
    }
    const settled =
      pending.length - line <= HELD_BACK
        ? line
        : lastBlank(pending, pending.length - redactor.reach(pending, Math.max(redactor.longestForm, 2 * SHORT_REACH)));
    const cut = outside(found, settled);
    return cut > 0 ? release(cut, found) : "";
  }

  /** A cut never stands inside a secret, nor within reach of a known secret that is not complete yet. */
  function outside(found: readonly RedactedRange[], position: number): number {
    let cut = Math.min(position, pending.length);
    const reach = redactor.longestForm === 0 ? cut : pending.length - redactor.reach(pending, redactor.longestForm);
    if (cut > reach) cut = Math.max(pending.lastIndexOf("\n", Math.max(reach - 1, 0)) + 1, 0);
    for (const range of found) {
      const start = range.start - context.length;
      const end = range.end - context.length;
      if (start < cut && cut < end) cut = Math.max(start, 0);
    }
    return cut;
  }

  return {
    push(delta) {
      pending += delta;
      return drain(false);
    },
    end: () => drain(true),
  };
}

/** The end of the last BEGIN line of a private key that has no END line behind it; -1 without one. */
function lastOpenPem(text: string): number {
  let end = -1;
  for (const match of text.matchAll(PEM_BEGIN)) end = match.index + match[0].length;
  return end >= 0 && !text.includes(PEM_END, end) ? end : -1;
}

/** Behind the last blank at or before `position`; without a blank, `position` itself, never between two surrogates. */
function lastBlank(text: string, position: number): number {
  for (let index = Math.min(position, text.length); index > 0; index--) {
    if (/\s/.test(text.charAt(index - 1))) return index;
  }
  const code = text.charCodeAt(position - 1);
  return code >= 0xd800 && code <= 0xdbff ? position - 1 : position;
}
