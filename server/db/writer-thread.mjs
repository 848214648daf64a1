// The one connection that writes. Plain JavaScript, so that Node can start it as a thread whatever bundled the caller.
// A group is one transaction (BEGIN IMMEDIATE, synchronous=FULL); a unit in it is a savepoint that applies whole or not at all.
import { parentPort, workerData } from "node:worker_threads";
import Sqlite from "better-sqlite3";

const { file, statements: sources, busyTimeoutMs, leaseMs, beatMs } = workerData;
const database = new Sqlite(file, { timeout: busyTimeoutMs });
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.pragma("foreign_keys = ON");

const prepared = new Map();
/** Statements of more tuples than that are rare and not kept. */
const KEPT_TUPLES = 64;
function statement(name, tuples = 0) {
  const key = tuples === 0 ? name : `${name} ${tuples}`;
  let found = prepared.get(key);
  if (!found) {
    if (!(name in sources)) throw new Error(`unknown statement ${name}`);
    found = database.prepare(sources[name].replace(/\{(.+?)\}/, (_, tuple) => Array(tuples).fill(tuple).join(", ")));
    if (tuples <= KEPT_TUPLES) prepared.set(key, found);
  }
  return found;
}

const begin = database.prepare("BEGIN IMMEDIATE");
const commit = database.prepare("COMMIT");
const savepoint = database.prepare("SAVEPOINT unit");
const release = database.prepare("RELEASE unit");
const undo = database.prepare("ROLLBACK TO unit");

// Trouble of the disk or of the lock, not of the unit: the whole group is undone and the caller sends it again.
const TROUBLE = /^SQLITE_(FULL|IOERR|BUSY|LOCKED|READONLY|CANTOPEN|NOMEM|CORRUPT|NOTADB)/;

function applyUnit(ops) {
  const rows = [];
  let applied = 0;
  for (const op of ops) {
    const args = op.args.map((arg) => (arg !== null && typeof arg === "object" ? JSON.stringify(rows[arg.rowsOf]) : arg));
    const query = statement(op.sql, op.tuples);
    let count;
    if (query.reader) {
      const found = query.all(...args);
      rows.push(found);
      count = found.length;
    } else {
      rows.push([]);
      count = query.run(...args).changes;
    }
    if (count === 0 && op.none === "rollback") return { applied: false, at: applied };
    if (count === 0 && op.none === "stop") break;
    applied += 1;
  }
  return { applied: true, rows };
}

function applyGroup(units) {
  begin.run();
  try {
    const outcomes = units.map((ops) => {
      savepoint.run();
      try {
        const outcome = applyUnit(ops);
        if (!outcome.applied) undo.run();
        release.run();
        return outcome;
      } catch (error) {
        if (TROUBLE.test(error.code ?? "") || !database.inTransaction) throw error;
        undo.run();
        release.run();
        return { applied: false, at: -1, error: { message: error.message, code: error.code ?? "" } };
      }
    });
    commit.run();
    return outcomes;
  } catch (error) {
    if (database.inTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

const beating = new Set();
let timer = null;
function beat() {
  try {
    for (const worker of beating) statement("beatWorker").run(Date.now() + leaseMs, worker);
  } catch (error) {
    parentPort.postMessage({ type: "beatFailed", message: error.message });
  }
}

parentPort.on("message", (message) => {
  if (message.type === "group") {
    try {
      parentPort.postMessage({ type: "done", id: message.id, outcomes: applyGroup(message.units) });
    } catch (error) {
      parentPort.postMessage({ type: "failed", id: message.id, message: error.message, code: error.code ?? "" });
    }
  } else if (message.type === "beat") {
    if (message.isAlive) beating.add(message.worker);
    else beating.delete(message.worker);
    if (timer) clearInterval(timer);
    timer = beating.size > 0 ? setInterval(beat, beatMs) : null;
  } else if (message.type === "close") {
    if (timer) clearInterval(timer);
    database.close();
    parentPort.postMessage({ type: "closed" });
    parentPort.close();
  }
});
