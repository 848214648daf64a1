import { describe, expect, it } from "vitest";
import { checkBaseUrl, fillIn, isPrivateHost, isUnencrypted, variablesOf, writtenFault } from "./base-url";

describe("an address", () => {
  it.each([
    ["https://api.test/v1", "https://api.test/v1"],
    ["https://api.test/v1///", "https://api.test/v1"],
    ["HTTPS://API.test", "https://api.test"],
    ["http://[::1]:11434/v1", "http://[::1]:11434/v1"],
    ["https://api.test:443/v1", "https://api.test/v1"],
  ])("%s is used as %s", (text, value) => {
    expect(checkBaseUrl(text)).toEqual({ ok: true, value });
  });

  it.each([
    ["", "not_http"],
    ["api.test/v1", "not_http"],
    ["ftp://api.test", "not_http"],
    ["javascript:alert(1)", "not_http"],
    ["https://api.test:99999/v1", "not_http"],
    ["https://user@api.test/v1", "has_user"],
    ["https://user:canary@api.test/v1", "has_user"],
    ["https://api.test/v1?key=canary", "has_query"],
    ["https://api.test/v1#x", "has_query"],
    ["https://${HOST}/v1", "has_variable"],
  ] as const)("%s is refused as %s", (text, error) => {
    expect(checkBaseUrl(text)).toEqual({ ok: false, error });
  });
});

describe("the variables of an address", () => {
  it.each([
    ["https://api.test/v1", []],
    ["${LLM_API_URL}", ["LLM_API_URL"]],
    ["https://${A}.${B}/${A}", ["A", "B"]],
    ["https://$HOST/v1", []],
    ["${", null],
    ["${}", null],
    ["${1A}", null],
    ["${A B}", null],
    ["${env:A}", null],
    ["${A:-x}", null],
    ["${A}${", null],
  ])("of %s are %j", (text, names) => {
    expect(variablesOf(text)).toEqual(names);
  });

  it("are filled in once, and a $ in a value stays", () => {
    const values: Record<string, string> = { A: "${B}$1$&$$", B: "never" };
    expect(fillIn("x${A}y", (name) => values[name] ?? "")).toBe("x${B}$1$&$$y");
  });
});

describe("an address with variables, as written", () => {
  it.each([
    ["${LLM_API_URL}", null],
    ["${LLM_API_URL}/v1", null],
    ["${SCHEME}://user.test", null],
    ["https://${HOST}/v1", null],
    ["https://api.${ZONE}/v1", null],
    ["https://${HOST}:${PORT}/v1", null],
    ["https://api.test:80${X}/v1", null],
    ["https://api.test/${PATH}", null],
    ["${LLM_API_URL}?key=${KEY}", "has_query"],
    ["${LLM_API_URL}#x", "has_query"],
    ["ftp://x/?a", "not_http"],
    ["https://${USER}:${PASSWORD}@api.test", "has_user"],
    ["api.test/${PATH}", "not_http"],
    ["ftp://${HOST}", "not_http"],
    ["https://api.test/v1", null],
    ["https://a@api.test/v1", "has_user"],
  ])("%s: %s", (text, fault) => {
    expect(writtenFault(text)).toBe(fault);
  });
});

describe("a key in the clear", () => {
  it.each([
    "http://api.test/v1",
    "HTTP://api.test",
    "http://api.test:${PORT}/v1",
    "http://api.test/${PATH}",
    "http://[2001:db8::1]/v1",
    "http://10.evil.test",
  ])("would go to %s", (text) => {
    expect(isUnencrypted(text)).toBe(true);
  });

  it.each([
    "https://api.test/v1",
    "http://localhost:1",
    "http://127.0.0.1:11434/v1",
    "http://10.0.0.8",
    "http://192.168.1.2",
    "http://172.16.0.1",
    "http://172.31.255.1",
    "http://169.254.1.1",
    "http://ollama:11434/v1",
    "http://gpu.local",
    "http://gpu.internal/v1",
    "http://[::1]:1/v1",
    "http://[fd00::1]/v1",
    "http://[fe80::1]/v1",
    "http://${HOST}/v1",
    "http://api.${ZONE}/v1",
    "${LLM_API_URL}",
  ])("would not go to %s, as far as one can see", (text) => {
    expect(isUnencrypted(text)).toBe(false);
  });

  it("knows where a private network ends", () => {
    expect(["172.15.0.1", "172.32.0.1", "11.0.0.1", "192.169.0.1"].filter(isPrivateHost)).toEqual([]);
  });
});
