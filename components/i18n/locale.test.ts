import { describe, expect, it } from "vitest";
import { localeFrom, zoneFrom } from "./locale";

describe("localeFrom", () => {
  it.each([
    ["zh", "en-US,en", "zh"],
    ["en", "zh-CN", "en"],
    [undefined, "zh-CN,zh;q=0.9,en;q=0.8", "zh"],
    [undefined, "de-DE,en;q=0.5,zh;q=0.7", "zh"],
    [undefined, "zh;q=0,en", "en"],
    [undefined, "fr-FR, de;q=0.9", "en"],
    [undefined, null, "en"],
    ["xx", "", "en"],
  ])("cookie %s with %s is %s", (cookie, header, locale) => {
    expect(localeFrom(cookie, header)).toBe(locale);
  });
});

describe("zoneFrom", () => {
  it("is the reader's own zone unless UTC was chosen", () => {
    expect([zoneFrom("utc"), zoneFrom("local"), zoneFrom(undefined)]).toEqual(["utc", "local", "local"]);
  });
});
