/**
 * Loaded before a program of Node that is tested: it ends when whoever started it is gone, and reaches this machine only. Whatever else it
 * looks up or connects to is written, a line each, to the file that its address names as `record`, and fails.
 */

import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const record = new URL(import.meta.url).searchParams.get("record");

function isHere(host) {
  return host === undefined || host === "" || /^(?:localhost|127(?:\.\d+){3}|::1|\[::1\])$/.test(host);
}

function refused(host) {
  if (record) appendFileSync(record, `${host}\n`);
  return Object.assign(new Error(`${host} is not this machine`), { code: "ENETUNREACH" });
}

const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  if (isHere(host)) return lookup(host, ...rest);
  const error = refused(host);
  process.nextTick(() => rest.at(-1)(error));
};
const lookupLater = dns.promises.lookup;
dns.promises.lookup = async (host, ...rest) => {
  if (!isHere(host)) throw refused(host);
  return lookupLater(host, ...rest);
};

const { connect } = net.Socket.prototype;
net.Socket.prototype.connect = function connectHere(...args) {
  // Node's own callers give their arguments as one list.
  const [where, host] = Array.isArray(args[0]) ? args[0] : args;
  const target = typeof where === "object" && where !== null ? where.host : typeof host === "string" ? host : undefined;
  // A name goes through `lookup`, which the caller may have replaced by one of its own.
  if (isHere(target)) return connect.apply(this, args);
  this.destroy(refused(target));
  return this;
};

syncBuiltinESMExports();

// A run of tests that is broken off closes nothing: those it leaves notice by themselves, and so do those that they have started.
const starter = process.ppid;
setInterval(() => {
  if (process.ppid !== starter) process.kill(process.pid, "SIGKILL");
}, 500).unref();
