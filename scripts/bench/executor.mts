/**
 * CPU a chunk and makespan of the executor, everything durable, beside a bare loop that stores nothing: interleaved pairs in one
 * run, after a warm-up, against a streaming stub upstream. `npm run bench:executor [-- PAIRS]`.
 */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";

const N = 2_000;
const C = 64;
const L = 200;
const pairs = Number(process.argv[2] ?? 5);
const here = import.meta.dirname;

/** The bars of the product. */
const CPU_RATIO = 2;
const EFFICIENCY_GAP = 0.03;
const LOOP_RATIO = 2;

const stub = spawn(process.execPath, ["--import", "tsx", path.join(here, "stub-upstream.mts"), String(L)], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [port] = (await once(createInterface({ input: stub.stdout }), "line")) as [string];

interface Figures {
  cpuMs: number;
  efficiency: number;
  loopP99Ms: number;
  rssMb: number;
}

function side(name: string): Figures {
  const done = spawnSync(
    process.execPath,
    ["--import", "tsx", path.join(here, "executor-side.mts"), name, port, String(N), String(C), String(L)],
    { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  if (done.status !== 0) throw new Error(`${name} failed`);
  return JSON.parse(done.stdout.trim().split("\n").at(-1) ?? "");
}

const median = (values: number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
const rows: { bare: Figures; ours: Figures }[] = [];
try {
  console.log(`N ${N} chunks, C ${C}, L ${L} ms, ${pairs} pairs\n`);
  console.log("pair  CPU ms/chunk bare  ours  ratio   efficiency bare  ours   loop p99 ms bare  ours   RSS MB bare  ours");
  for (let pair = 1; pair <= pairs; pair++) {
    const bare = side("bare");
    const ours = side("switchyard");
    rows.push({ bare, ours });
    console.log(
      `${String(pair).padEnd(4)}  ${bare.cpuMs.toFixed(2).padStart(17)}  ${ours.cpuMs.toFixed(2)}  ${(ours.cpuMs / bare.cpuMs).toFixed(2)}   ${bare.efficiency.toFixed(3).padStart(15)}  ${ours.efficiency.toFixed(3)}  ${bare.loopP99Ms.toFixed(1).padStart(16)}  ${ours.loopP99Ms.toFixed(1)}   ${bare.rssMb.toFixed(0).padStart(11)}  ${ours.rssMb.toFixed(0)}`,
    );
  }
} finally {
  stub.kill();
}
const cpuRatio = median(rows.map(({ bare, ours }) => ours.cpuMs / bare.cpuMs));
const gap = median(rows.map(({ bare, ours }) => bare.efficiency - ours.efficiency));
const loopRatio = median(rows.map(({ bare, ours }) => ours.loopP99Ms / bare.loopP99Ms));
const verdict = (met: boolean) => (met ? "met" : "MISSED");
console.log(`\nmedian CPU ratio         ${cpuRatio.toFixed(2)}   bar <= ${CPU_RATIO}      ${verdict(cpuRatio <= CPU_RATIO)}`);
console.log(`median efficiency gap    ${gap.toFixed(3)}  bar <= ${EFFICIENCY_GAP}   ${verdict(gap <= EFFICIENCY_GAP)}`);
console.log(`median loop p99 ratio    ${loopRatio.toFixed(2)}   bar <= ${LOOP_RATIO}      ${verdict(loopRatio <= LOOP_RATIO)}`);
process.exit(cpuRatio <= CPU_RATIO && gap <= EFFICIENCY_GAP && loopRatio <= LOOP_RATIO ? 0 : 1);
