/** Takes this machine, this day and this run out of recorded lines, and long outputs down to their ends. Pure. */
import type { FixtureLine } from "@/server/testing/read-fixture";

export interface Surroundings {
  /** What stands for what; longer texts are replaced first. */
  names: Readonly<Record<string, string>>;
  /** Epoch milliseconds at which the recording's clock started. */
  startedAt: number;
}

/** Every recording started then. */
export const RECORDING_EPOCH_MS = 1_776_000_000_000;

/** Longer texts keep their two ends. */
const TEXT_LIMIT = 16_000;
const TEXT_END = 500;

/** An output in more pieces than this keeps so many at its beginning and at its end; a piece has up to 8 KiB. */
const PIECES_LIMIT = 12;
const PIECES_END = 2;
const OUTPUT_METHOD = "item/commandExecution/outputDelta";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const UPSTREAM_ID = /\b(resp|msg|rs|call|fc|ctc)_\d{4,}\b/g;
const DAY_FOLDER = /sessions\/\d{4}\/\d\d\/\d\d\/rollout-[\dT-]+-(?=<|[0-9a-f]{8}-)/g;
const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const SECONDS = new Set(["createdAt", "updatedAt", "recencyAt", "startedAt", "completedAt"]);

/** One a scenario: ids that recur, in the same process or in a later one, get the same name. */
export function createGeneraliser({ names, startedAt }: Surroundings): (lines: readonly FixtureLine[]) => FixtureLine[] {
  const replacements = Object.entries(names).sort(([one], [other]) => other.length - one.length);
  const given = new Map<string, string>();
  const counts = new Map<string, number>();
  const rename = (kind: string, id: string, write: (count: number) => string): string => {
    const known = given.get(`${kind} ${id}`);
    if (known !== undefined) return known;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    given.set(`${kind} ${id}`, write(count));
    return write(count);
  };

  function text(value: string): string {
    let result = value;
    for (const [from, to] of replacements) result = result.replaceAll(from, to);
    return bounded(
      result
        .replace(DAY_FOLDER, "sessions/<day>/rollout-<time>-")
        .replace(UUID, (id) => rename("uuid", id, (count) => `<uuid-${count}>`))
        .replace(UPSTREAM_ID, (id, kind: string) => rename(kind, id, (count) => `${kind}_${count}`))
        .replace(INSTANT, "<time>"),
    );
  }

  function member(key: string, value: unknown): unknown {
    if (typeof value === "number") {
      if (key.endsWith("AtMs")) return value - startedAt + RECORDING_EPOCH_MS;
      if (SECONDS.has(key)) return value - Math.floor(startedAt / 1000) + RECORDING_EPOCH_MS / 1000;
      return value;
    }
    if (typeof value !== "string") return any(value);
    if (key === "serverName") return "<host>";
    if (key === "processId") return rename("process", value, (count) => String(1000 + count));
    if (key === "userAgent") return text(value.replace(/\([^()]*;[^()]*\) unknown/, "(<system>) <terminal>"));
    return text(value);
  }

  function any(value: unknown): unknown {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(any);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, member(key, inner)]));
  }

  return (lines) =>
    // A frame keeps its shape: only texts and numbers inside it change.
    withoutMiddlePieces(lines).map((line) => ({ ...line, ms: Math.round(line.ms), frame: any(line.frame) }) as FixtureLine);
}

function bounded(text: string): string {
  if (text.length <= TEXT_LIMIT) return text;
  return `${text.slice(0, TEXT_END)}<${text.length - 2 * TEXT_END} characters left out>${text.slice(-TEXT_END)}`;
}

/** Of an output in very many pieces the first and the last stay; one line says how many are left out between them. */
function withoutMiddlePieces(lines: readonly FixtureLine[]): FixtureLine[] {
  const pieces = lines.filter(isOutputPiece);
  if (pieces.length <= PIECES_LIMIT) return [...lines];
  const middle = new Set<FixtureLine>(pieces.slice(PIECES_END, -PIECES_END));
  const [first] = middle;
  const characters = [...middle].reduce((sum, line) => sum + deltaOf(line).length, 0);
  return lines.flatMap((line): FixtureLine[] => {
    if (line === first) return [{ dir: "cut", ms: line.ms, frame: { method: OUTPUT_METHOD, frames: middle.size, characters } }];
    return middle.has(line) ? [] : [line];
  });
}

const isOutputPiece = (line: FixtureLine): boolean => line.dir === "in" && line.frame.method === OUTPUT_METHOD;

function deltaOf(line: FixtureLine): string {
  if (line.dir !== "in") return "";
  const { params } = line.frame;
  return typeof params === "object" && params !== null && "delta" in params && typeof params.delta === "string"
    ? params.delta
    : "";
}
