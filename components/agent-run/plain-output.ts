/** What a terminal would take for colours, cursor moves and titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const TERMINAL_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
/** Written by the server between the beginning and the end of a text that was cut. */
const CUT = /\n… (?<bytes>\d+) bytes left out …\n/;

export function plainOutput(text: string): string {
  return text.replace(TERMINAL_SEQUENCES, "").replace(/\r\n/g, "\n");
}

/** A text that was cut: its beginning, the bytes that are missing, its end. Null when nothing says that something is missing. */
export function excerptParts(text: string): { head: string; missingBytes: number; tail: string } | null {
  const found = CUT.exec(text);
  if (found === null) return null;
  const { bytes = "0" } = found.groups ?? {};
  return {
    head: text.slice(0, found.index),
    missingBytes: Number(bytes),
    tail: text.slice(found.index + found[0].length),
  };
}
