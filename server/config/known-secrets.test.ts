import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KnownSecrets } from "./known-secrets";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const provider = (name: string, apiKey: string) => ({ name, baseUrl: null, secretRefs: { apiKey } });
const values = (secrets: KnownSecrets) => Object.values(secrets.all()).map((secret) => secret.expose());

it("knows what can be read of every provider it was told of, each reference once", () => {
  vi.stubEnv("A_KEY", "key-of-a");
  vi.stubEnv("B_KEY", " key-of-b ");
  vi.stubEnv("EMPTY_KEY", "");
  const secrets = new KnownSecrets();
  secrets.add(provider("a", "env:A_KEY"));
  secrets.add(provider("again", "env:A_KEY"));
  secrets.add(provider("c", "env:EMPTY_KEY"));
  secrets.addReference("env:B_KEY");
  expect(values(secrets)).toEqual(["key-of-a", "key-of-b"]);
  // A provider that comes later counts at once.
  vi.stubEnv("D_KEY", "key-of-d");
  secrets.add(provider("d", "$" + "{D_KEY}"));
  expect(values(secrets)).toEqual(["key-of-a", "key-of-b", "key-of-d"]);
});

it("reads anew after a second: a changed key counts then", () => {
  vi.stubEnv("A_KEY", "first-value");
  const secrets = new KnownSecrets();
  secrets.add(provider("a", "env:A_KEY"));
  expect(values(secrets)).toEqual(["first-value"]);
  vi.stubEnv("A_KEY", "second-value");
  vi.advanceTimersByTime(1_000);
  expect(values(secrets)).toEqual(["second-value"]);
});

it("says what is missing of a provider, by reference, and nothing when all is set", () => {
  vi.stubEnv("A_KEY", "key-of-a");
  vi.stubEnv("SPACED_KEY", "key \n");
  const secrets = new KnownSecrets();
  expect(secrets.problemOf(provider("a", "env:A_KEY"))).toBeNull();
  expect(secrets.problemOf(provider("s", "env:SPACED_KEY"))).toBeNull();
  expect(secrets.problemOf(provider("n", "env:NO_SUCH_KEY_HERE"))).toBe("env:NO_SUCH_KEY_HERE (apiKey) is missing.");
  expect(secrets.problemOf({ ...provider("u", "env:A_KEY"), baseUrl: "$" + "{NO_SUCH_BASE}/v1" })).toBe(
    "$" + "{NO_SUCH_BASE} (baseUrl) is missing.",
  );
});

it("is found in a name, and no word is taken for one", () => {
  vi.stubEnv("A_KEY", "sk-1234567890");
  vi.stubEnv("LOCAL_KEY", "ollama");
  const secrets = new KnownSecrets();
  secrets.add(provider("a", "env:A_KEY"));
  secrets.add(provider("local", "env:LOCAL_KEY"));
  expect(
    ["sk-1234567890", "a/sk-1234567890:free", "ollama/llama3", "sk-123456789"].map((name) => secrets.isPartOf(name)),
  ).toEqual([true, true, false, false]);
});

it("says that white space around a key is cut off", () => {
  vi.stubEnv("A_KEY", "key-of-a");
  vi.stubEnv("SPACED_KEY", "key \n");
  const secrets = new KnownSecrets();
  expect(secrets.noteOf(provider("a", "env:A_KEY"))).toBeNull();
  expect(secrets.noteOf(provider("s", "env:SPACED_KEY"))).toBe(
    "env:SPACED_KEY is set, with white space around it that is cut off.",
  );
});
