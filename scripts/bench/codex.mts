/**
 * Turns of the real Codex CLI against an instant upstream on this machine: one process a turn beside one process reused, in
 * interleaved pairs; then eight threads at once, and the memory of a process with 32 threads. `npm run bench:codex [-- PAIRS]`.
 * Fetches the pinned CLI when it is absent.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createCodexBackend } from "@/server/backends/adapters/codex-app-server/adapter";
import { childEnvironment } from "@/server/env";
import { Secret } from "@/server/shared/secret";
import { buildSettings } from "@/server/testing/build-settings";
import { held, reply } from "@/server/testing/responses-answers";
import { startResponsesUpstream } from "@/server/testing/responses-upstream";
import { codexBinary } from "../launch/codex-cli.mjs";

const pairs = Number(process.argv[2] ?? 5);
/** Turns of each side in one pair. */
const TURNS = 4;
const THREADS = 8;
const PARALLEL_TURNS = 48;
const LOADED_THREADS = 32;
/** The bar of the product: how many times as many turns a second the reused process must do. */
const BAR = 5;

const program = await codexBinary({ fetch: true });
const folder = mkdtempSync(path.join(tmpdir(), "switchyard-bench-codex-"));
const upstream = await startResponsesUpstream();
upstream.otherwise(() => reply('{"insights":[]}'));
const settings = buildSettings("deepseek", { baseUrl: upstream.baseUrl, secretRefs: { apiKey: "env:BENCH_KEY" } });
const access = { baseUrl: upstream.baseUrl, secrets: { apiKey: new Secret("bench-key-0123456789", "env:BENCH_KEY") } };

/** Closed at the end, whatever happens: an open one would keep this program from ending. */
const opened: ReturnType<typeof createCodexBackend>[] = [];
function open() {
  const host = { homesFolder: path.join(folder, "agents"), programs: { codex: program }, childEnv: childEnvironment() };
  const backend = createCodexBackend(settings, host);
  opened.push(backend);
  return backend;
}
type Opened = ReturnType<typeof open>;

async function turn(backend: Opened): Promise<void> {
  const { text } = await backend.runTurn(
    {
      ...access,
      requestId: "bench",
      model: "deepseek-flash",
      system: "Answer in JSON.",
      user: "A chunk of a thousand words. ".repeat(200),
      expect: { format: "json", schema: { insights: "array" } },
      generation: {},
      timeoutMs: 60_000,
    },
    { event: () => undefined, progress: () => undefined },
    new AbortController().signal,
  );
  if (text !== '{"insights":[]}') throw new Error(`not the upstream's answer: ${text}`);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const at = performance.now();
  await work();
  return (performance.now() - at) / 1000;
}

async function times(count: number, work: () => Promise<void>): Promise<void> {
  for (let done = 0; done < count; done++) await work();
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** Resident memory in MB; null where the system does not tell (it is read from /proc). */
function residentMb(pid: number | undefined): number | null {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) / 1000;
  } catch {
    return null;
  }
}

const shown = (megabytes: number | null) => (megabytes === null ? "not told by this system" : `${megabytes.toFixed(0)} MB`);

interface Pair {
  /** Turns a second, each in a process of its own; `answered` counts until the answer, `ended` until the process is gone, too. */
  answered: number;
  ended: number;
  reused: number;
}

async function pair(reused: Opened): Promise<Pair> {
  let closing = 0;
  const whole = await seconds(() =>
    times(TURNS, async () => {
      const backend = open();
      await turn(backend);
      closing += await seconds(() => backend.close());
    }),
  );
  return {
    answered: TURNS / (whole - closing),
    ended: TURNS / whole,
    reused: TURNS / (await seconds(() => times(TURNS, () => turn(reused)))),
  };
}

try {
  const reused = open();
  const starts: number[] = [];
  // The first start of a fresh home, and of one that is there.
  const fresh = await seconds(() => turn(reused));
  for (let start = 0; start < 3; start++) {
    const backend = open();
    const first = await seconds(() => turn(backend));
    starts.push(first - (await seconds(() => turn(backend))));
    await backend.close();
  }
  console.log(`codex turns, instant upstream, ${pairs} pairs of ${TURNS} turns each\n`);
  console.log("pair  own process: turns/s to the answer  to its end   reused: turns/s   ratio to the answer   to the end");
  const rows: Pair[] = [];
  for (let number = 1; number <= pairs; number++) {
    const measured = await pair(reused);
    rows.push(measured);
    console.log(
      `${String(number).padEnd(4)}  ${measured.answered.toFixed(2).padStart(35)}  ${measured.ended.toFixed(2).padStart(10)}   ${measured.reused.toFixed(2).padStart(15)}   ${(measured.reused / measured.answered).toFixed(1).padStart(19)}   ${(measured.reused / measured.ended).toFixed(1).padStart(10)}`,
    );
  }
  const [one] = reused.running();
  const restingMb = residentMb(one?.pid);
  const parallel = await seconds(async () => {
    await Promise.all(Array.from({ length: THREADS }, () => times(PARALLEL_TURNS / THREADS, () => turn(reused))));
  });
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const before = upstream.requests.length;
  upstream.otherwise(() => held(released, reply('{"insights":[]}')));
  const loaded = Promise.all(Array.from({ length: LOADED_THREADS }, () => turn(reused)));
  await upstream.received(before + LOADED_THREADS);
  const loadedMb = residentMb(one?.pid);
  const processes = reused.running().length;
  release();
  await loaded;

  const toAnswer = median(rows.map(({ reused: each, answered }) => each / answered));
  const toEnd = median(rows.map(({ reused: each, ended }) => each / ended));
  const row = (what: string, figures: string) => console.log(`${what.padEnd(42)} ${figures}`);
  const alone = median(rows.map(({ reused: each }) => each)).toFixed(1);
  console.log();
  row("first turn of a fresh home", `${fresh.toFixed(2)} s`);
  row(`start-up of a process, median of ${starts.length}`, `${median(starts).toFixed(2)} s`);
  row(
    `${THREADS} threads at once, ${PARALLEL_TURNS} turns`,
    `${(PARALLEL_TURNS / parallel).toFixed(1)} turns/s; one after another ${alone}`,
  );
  row("memory of the process", shown(restingMb));
  row(`with ${LOADED_THREADS} threads under way, ${processes} process`, shown(loadedMb));
  row("median ratio, to the end of the process", toEnd.toFixed(1));
  row("median ratio, to the answer", `${toAnswer.toFixed(1)}   bar >= ${BAR}   ${toAnswer >= BAR ? "met" : "MISSED"}`);
  process.exitCode = toAnswer >= BAR ? 0 : 1;
} finally {
  for (const backend of opened) await backend.close();
  await upstream.close();
  rmSync(folder, { recursive: true, force: true });
}
