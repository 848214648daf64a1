import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Secret } from "@/server/shared/secret";
import type { AppServer } from "./app-server";
import { type AppServerKey, AppServerPool } from "./app-server-pool";

const IDLE_MS = 60_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const keyOf = (value: string, more: Partial<AppServerKey> = {}): AppServerKey => ({
  baseUrl: "https://a.example/v1",
  model: "m",
  key: new Secret(value, "env:KEY"),
  ...more,
});

/** As much of a process as a pool looks at. */
class FakeServer {
  isTrusted = true;
  isGone = false;
  ends = 0;
  #leave: () => void = () => undefined;
  readonly exited = new Promise<void>((resolve) => {
    this.#leave = resolve;
  });

  async end(): Promise<void> {
    this.ends += 1;
    this.die();
  }

  die(): void {
    this.isTrusted = false;
    this.isGone = true;
    this.#leave();
  }
}

function open(start: () => Promise<FakeServer> = async () => new FakeServer()) {
  const keys: string[] = [];
  const servers: FakeServer[] = [];
  const pool = new AppServerPool(async (key, signal) => {
    keys.push(key.key.expose());
    const server = await start();
    signal.throwIfAborted();
    servers.push(server);
    // The pool looks at these members and no others.
    return server as unknown as AppServer;
  }, IDLE_MS);
  return { pool, keys, servers };
}

describe("one process", () => {
  it("serves many who ask at once, and those who come later", async () => {
    const { pool, keys, servers } = open();
    const leases = await Promise.all(Array.from({ length: 10 }, () => pool.lease(keyOf("a"))));
    leases.push(await pool.lease(keyOf("a")));
    expect(keys).toEqual(["a"]);
    expect(new Set(leases.map(({ server }) => server))).toEqual(new Set(servers));
    expect(pool.running()).toEqual(servers);
  });

  it("is for one address, one model and one key", async () => {
    const { pool, keys } = open();
    await pool.lease(keyOf("a"));
    await pool.lease(keyOf("rotated"));
    await pool.lease(keyOf("a", { model: "n" }));
    await pool.lease(keyOf("a", { baseUrl: "https://b.example/v1" }));
    await pool.lease(keyOf("a", { key: new Secret("a", "env:ANOTHER_NAME") }));
    expect(keys).toEqual(["a", "rotated", "a", "a"]);
  });

  it("is ended when nobody has had it for long enough, and not before", async () => {
    const { pool, keys, servers } = open();
    const one = await pool.lease(keyOf("a"));
    const other = await pool.lease(keyOf("a"));
    one.release();
    one.release();
    await vi.advanceTimersByTimeAsync(10 * IDLE_MS);
    expect(servers[0]?.ends).toBe(0);
    other.release();
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(servers[0]?.ends).toBe(0);
    (await pool.lease(keyOf("a"))).release();
    await vi.advanceTimersByTimeAsync(IDLE_MS - 1);
    expect(servers[0]?.ends).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    expect(servers[0]?.ends).toBe(1);
    expect(pool.running()).toEqual([]);
    await pool.lease(keyOf("a"));
    expect(keys).toEqual(["a", "a"]);
  });
});

describe("a process that", () => {
  it("is dead is replaced, at once for those who come and never for those who have it", async () => {
    const { pool, servers } = open();
    const old = await pool.lease(keyOf("a"));
    servers[0]?.die();
    const fresh = await pool.lease(keyOf("a"));
    expect(old.server).toBe(servers[0]);
    expect(fresh.server).toBe(servers[1]);
    old.release();
    expect(servers[1]?.ends).toBe(0);
    expect((await pool.lease(keyOf("a"))).server).toBe(servers[1]);
  });

  it("left something without an answer gets nobody new, and ends with its last user", async () => {
    const { pool, servers } = open();
    const old = await pool.lease(keyOf("a"));
    if (servers[0]) servers[0].isTrusted = false;
    expect((await pool.lease(keyOf("a"))).server).toBe(servers[1]);
    expect(servers[0]?.ends).toBe(0);
    expect(pool.running()).toEqual(servers);
    old.release();
    expect(servers[0]?.ends).toBe(1);
  });

  it("is condemned gets nobody new, tells those who have it once, and ends with the last of them", async () => {
    const { pool, servers } = open();
    const told: string[] = [];
    const one = await pool.lease(keyOf("a"), () => told.push("one"));
    const two = await pool.lease(keyOf("a"), () => told.push("two"));
    const left = await pool.lease(keyOf("a"), () => told.push("left"));
    left.release();
    one.condemn();
    two.condemn();
    expect(told).toEqual(["one", "two"]);
    expect((await pool.lease(keyOf("a"))).server).toBe(servers[1]);
    one.release();
    expect(servers[0]?.ends).toBe(0);
    two.release();
    expect(servers[0]?.ends).toBe(1);
    expect(servers[1]?.ends).toBe(0);
  });

  it("is condemned by who has no lease of it ends at once when it only waits", async () => {
    const { pool, servers } = open();
    const { server, release } = await pool.lease(keyOf("a"));
    release();
    pool.condemn(server);
    expect(servers[0]?.ends).toBe(1);
    await vi.advanceTimersByTimeAsync(IDLE_MS);
    expect(servers[0]?.ends).toBe(1);
    pool.condemn(server);
    expect(servers[0]?.ends).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("does not start fails all who wait for it, and the next one tries anew", async () => {
    let isBroken = true;
    const { pool, keys, servers } = open(async () => {
      if (isBroken) throw new Error("no such program");
      return new FakeServer();
    });
    const both = await Promise.allSettled([pool.lease(keyOf("a")), pool.lease(keyOf("a"))]);
    expect(both.map((one) => one.status === "rejected" && String(one.reason))).toEqual([
      "Error: no such program",
      "Error: no such program",
    ]);
    isBroken = false;
    expect((await pool.lease(keyOf("a"))).server).toBe(servers[0]);
    expect(keys).toEqual(["a", "a"]);
  });
});

describe("closing", () => {
  it("ends all, whoever has them, condemned ones too, and gives none away any more", async () => {
    const { pool, servers } = open();
    const condemned = await pool.lease(keyOf("a"));
    condemned.condemn();
    await pool.lease(keyOf("b"));
    (await pool.lease(keyOf("c"))).release();
    await pool.close();
    await pool.close();
    expect(servers.map(({ isGone }) => isGone)).toEqual([true, true, true]);
    await expect(pool.lease(keyOf("d"))).rejects.toThrow("the pool of app-servers is closed");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits for one that is starting, and ends it", async () => {
    let arrive: (server: FakeServer) => void = () => undefined;
    const { pool, servers } = open(
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    );
    const leasing = pool.lease(keyOf("a"));
    const closing = pool.close();
    arrive(new FakeServer());
    await expect(leasing).rejects.toThrow("the pool of app-servers is closed");
    await closing;
    expect(servers).toEqual([]);
    expect(pool.running()).toEqual([]);
  });
});
