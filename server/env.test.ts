import { describe, expect, it } from "vitest";
import { loadEnv } from "./env";

const TOKEN = "canary-7f3a9b2c4d5e6f70";

/** What the start is refused for, line by line; nothing when it is not. */
function problemsOf(source: Record<string, string>): string[] {
  try {
    loadEnv(source);
    return [];
  } catch (error) {
    const [title, ...problems] = String(error).split("\n");
    expect(title).toBe("Error: The environment is not usable:");
    return problems.map((problem) => problem.trim());
  }
}

describe("loadEnv", () => {
  it("has defaults for everything", () => {
    expect(loadEnv({})).toEqual({
      PORT: 4310,
      SWITCHYARD_DATA_DIR: "./data",
      HOST: "127.0.0.1",
      SWITCHYARD_CONFIG: undefined,
      SWITCHYARD_SECRETS_DIR: undefined,
      SWITCHYARD_CHECK_MINUTES: 10,
      SWITCHYARD_TOKEN: undefined,
      SWITCHYARD_URL: undefined,
      LLM_API_URL: undefined,
      LLM_API_KEY: undefined,
      LLM_MODEL: undefined,
      LLM_CONCURRENCY: 64,
      LOG_LEVEL: "info",
      NODE_ENV: "development",
    });
  });

  it("trims values and takes blank ones for unset", () => {
    const env = loadEnv({ PORT: " 8080 ", HOST: "", LLM_MODEL: "  ", LLM_API_URL: " https://api.test/v1 ", LLM_API_KEY: " k " });
    expect(env).toMatchObject({ PORT: 8080, HOST: "127.0.0.1", LLM_API_URL: "https://api.test/v1", LLM_API_KEY: "set" });
    expect(env.LLM_MODEL).toBeUndefined();
  });

  it("never holds a secret and cannot be changed", () => {
    const env = loadEnv({ LLM_API_KEY: "sk-canary-7f3a9b2c4d5e6f70", SWITCHYARD_TOKEN: "canary-7f3a9b2c4d5e6f70" });
    expect([env.LLM_API_KEY, env.SWITCHYARD_TOKEN]).toEqual(["set", "set"]);
    expect(JSON.stringify(env)).not.toContain("canary");
    expect(Object.isFrozen(env)).toBe(true);
  });

  it("lists every problem at once", () => {
    expect(problemsOf({ PORT: "80x", HOST: "0.0.0.0", SWITCHYARD_TOKEN: "short", LOG_LEVEL: "loud" })).toEqual([
      'PORT must be a port number from 0 to 65535, not "80x"',
      "SWITCHYARD_TOKEN must be 16 to 512 visible ASCII characters without spaces, because it travels in a header; make one with: openssl rand -hex 24",
      expect.stringMatching(/^LOG_LEVEL /),
      "SWITCHYARD_URL must be set: HOST=0.0.0.0 lets other machines in, and this is the address they open, such as http://192.168.1.5:4310",
    ]);
  });

  it("takes an absolute folder for secrets and no other", () => {
    expect(loadEnv({ SWITCHYARD_SECRETS_DIR: " /run/secrets " }).SWITCHYARD_SECRETS_DIR).toBe("/run/secrets");
    expect(problemsOf({ SWITCHYARD_SECRETS_DIR: "secrets" })).toEqual([
      "SWITCHYARD_SECRETS_DIR must be the absolute path of the folder that file: references lead into, such as /run/secrets",
    ]);
  });

  it.each(["70000", "-1", "1.5", "0x50"])("refuses port %s", (port) => {
    expect(() => loadEnv({ PORT: port })).toThrow("PORT must be a port number");
  });

  it.each(["127.0.0.1", "127.0.0.2", "::1", "localhost"])("listens on %s, which only this machine can reach", (host) => {
    expect(loadEnv({ HOST: host }).HOST).toBe(host);
  });
});

describe("a server that others can reach", () => {
  it.each([
    ["0.0.0.0", "0.0.0.0"],
    ["::", "::"],
    ["[::]", "::"],
    ["192.168.1.5", "192.168.1.5"],
    ["fd00::5", "fd00::5"],
    ["box.lan", "box.lan"],
  ])("listens on %s with a token and its address", (given, host) => {
    const env = loadEnv({ HOST: given, SWITCHYARD_TOKEN: TOKEN, SWITCHYARD_URL: "http://Box.lan:4310/" });
    expect(env).toMatchObject({ HOST: host, SWITCHYARD_TOKEN: "set", SWITCHYARD_URL: "http://box.lan:4310" });
  });

  it("needs both, and says so of each", () => {
    expect(problemsOf({ HOST: "0.0.0.0" })).toEqual([
      "SWITCHYARD_TOKEN must be set: HOST=0.0.0.0 lets other machines in, and they sign in with this token; make one with: openssl rand -hex 24",
      "SWITCHYARD_URL must be set: HOST=0.0.0.0 lets other machines in, and this is the address they open, such as http://192.168.1.5:4310",
    ]);
    expect(problemsOf({ HOST: "::", SWITCHYARD_TOKEN: TOKEN, SWITCHYARD_URL: " " })).toEqual([
      "SWITCHYARD_URL must be set: HOST=:: lets other machines in, and this is the address they open, such as http://192.168.1.5:4310",
    ]);
  });

  it("also when only a proxy lets them in", () => {
    expect(problemsOf({ SWITCHYARD_URL: "https://box.example" })).toEqual([
      "SWITCHYARD_TOKEN must be set: SWITCHYARD_URL lets pages of another host name in, and they sign in with this token",
    ]);
    expect(loadEnv({ SWITCHYARD_URL: "https://box.example", SWITCHYARD_TOKEN: TOKEN }).SWITCHYARD_URL).toBe(
      "https://box.example",
    );
  });

  it("a token guards this machine's own address too, and its own address needs none", () => {
    expect(loadEnv({ SWITCHYARD_TOKEN: ` ${TOKEN}\n` }).SWITCHYARD_TOKEN).toBe("set");
    expect(loadEnv({ SWITCHYARD_URL: "http://localhost:4310" }).SWITCHYARD_URL).toBe("http://localhost:4310");
  });

  it.each([
    "fifteen-letters",
    "with a space in the middle",
    "tab\tin-the-middle-of-it",
    "line\nbreak-in-the-middle",
    "口令口令口令口令口令口令口令口令",
  ])("refuses %j as a token without repeating it", (token) => {
    const [problem, ...more] = problemsOf({ SWITCHYARD_TOKEN: token });
    expect(problem).toMatch(/^SWITCHYARD_TOKEN must be 16 to 512 visible ASCII characters/);
    expect(problem).not.toContain(token);
    expect(more).toEqual([]);
  });

  it.each([
    "box.lan",
    "box.lan:4310",
    "ftp://box.lan",
    "http://",
    "http://box.lan/console",
    "http://box.lan?",
    "http://box.lan/#top",
    "https://user:canary@box.lan",
    "javascript:alert(1)",
  ])("refuses %s as its address", (address) => {
    const [problem, ...more] = problemsOf({ SWITCHYARD_URL: address, SWITCHYARD_TOKEN: TOKEN });
    expect(problem).toBe(
      "SWITCHYARD_URL must be what browsers open, http:// or https:// with a host and no path, such as https://switchyard.example.com",
    );
    expect(more).toEqual([]);
  });

  it.each(["256.0.0.1", "a b", "http://box.lan", "-x", "1.2.3", "box..lan"])("refuses to listen on %s", (host) => {
    expect(problemsOf({ HOST: host })).toEqual([
      `HOST must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0, :: or localhost, not "${host}"`,
    ]);
  });
});
