import { describe, expect, it } from "vitest";
import { areNearDuplicates, fingerprint, withoutRestatement } from "./near-duplicate";
import { NearDuplicateIndex } from "./near-duplicate-index";

function isSame(a: string, b: string): boolean {
  const [first, second] = [fingerprint(a), fingerprint(b)];
  expect(areNearDuplicates(second, first)).toBe(areNearDuplicates(first, second));
  return areNearDuplicates(first, second);
}

describe("the same statement", () => {
  it.each([
    ["Purge by product on every write.", "purge BY product, on every  write"],
    ["The **cache** keys on `product_id` only.", "The cache keys on product_id only"],
    ["Decided: renew the lease early.", "As said before, on leases: decided: renew the lease early."],
    ["Keep one limiter per key and model.", "As already mentioned, keep one limiter per key and model"],
    ["所有时间一律存 UTC，显示时再换算。", "如前所述，所有时间一律存UTC，显示时再换算"],
    ["门店开门前先对时，否则小票日期不对", "再次强调：门店开门前先对时，否则小票日期不对"],
    [
      "Upload works again: the new key is active, and reads answer 403 without and 200 with the reader role.",
      "Upload is working again: new key active, reads answer 403 without, 200 with the reader role.",
    ],
    ["A backup holds 10,000 rows of the archive", "A backup holds 10000 rows of the archive"],
  ])("%s = %s", (a, b) => {
    expect(isSame(a, b)).toBe(true);
  });

  it("is contained in a fuller one", () => {
    const short = "The nightly export reads every customer row one by one.";
    const full = "The nightly export reads every customer row one by one, which makes ten thousand queries for a large shop.";
    expect(isSame(short, full)).toBe(true);
  });
});

describe("not the same statement", () => {
  it.each([
    ["a negation", "Retry the upload after a timeout.", "Never retry the upload after a timeout."],
    [
      "a contracted negation",
      "The worker does write the old column for an hour.",
      "The worker doesn't write the old column for an hour.",
    ],
    [
      "a differing number",
      "At most 50 replies a day are sent automatically.",
      "At most 500 replies a day are sent automatically.",
    ],
    ["numbers the other way round", "Failures went from 40 to 2 a night.", "Failures went from 2 to 40 a night."],
    ["a differing version", "Node 20.19 is required to build the images.", "Node 20.20 is required to build the images."],
    [
      "another name",
      "Use Redis as the queue of the nightly import job for shops.",
      "Use Postgres as the queue of the nightly import job for shops.",
    ],
    ["another direction", "Move all orders of the shop from Berlin to Rome.", "Move all orders of the shop from Rome to Berlin."],
    [
      "the opposite",
      "Turn the request logging on before the load test starts.",
      "Turn the request logging off before the load test starts.",
    ],
    ["a restriction", "Retry when the answer is a 429 with a header.", "Retry only when the answer is a 429 with a header."],
    [
      "another number word",
      "The import runs three times a day on the old host.",
      "The import runs four times a day on the old host.",
    ],
    ["a Chinese negation", "付款相关的消息可以自动回复给客户", "付款相关的消息不可以自动回复给客户"],
    ["a Chinese number", "每天最多自动回复 50 条，超过后转人工", "每天最多自动回复 500 条，超过后转人工"],
    ["a Chinese number word", "备份文件在服务器上保留三天再删除", "备份文件在服务器上保留五天再删除"],
    ["a Chinese opposite", "每天最多自动回复客户五十条消息", "每天最少自动回复客户五十条消息"],
    ["another subject", "The cache keys on the product id only.", "The plate reader drifts after a cold start."],
    [
      "three words inside a longer one",
      "Restart the gateway",
      "When the disk is full nobody can log in, even if you restart the gateway",
    ],
  ])("%s", (_, a, b) => {
    expect(isSame(a, b)).toBe(false);
  });

  it("is empty against anything but empty", () => {
    expect(isSame("…", "Retry the upload.")).toBe(false);
  });
});

describe("withoutRestatement", () => {
  it("takes stacked announcements away and never the whole text", () => {
    expect(withoutRestatement("Again: as noted above, keep the lease")).toBe("keep the lease");
    expect(withoutRestatement("As said before:")).toBe("As said before:");
    expect(withoutRestatement("As agents restart, leases expire")).toBe("As agents restart, leases expire");
  });
});

describe("NearDuplicateIndex", () => {
  it("finds the earliest partner that a full comparison would find", () => {
    const words = "lease worker queue chunk model retry limit backup index cache token shop order price night disk".split(" ");
    let seed = 42;
    const next = (limit: number) => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return (seed >>> 8) % limit;
    };
    const texts = Array.from({ length: 400 }, () => {
      const count = 4 + next(8);
      return Array.from({ length: count }, () => (next(12) === 0 ? String(next(3)) : words[next(words.length)])).join(" ");
    });
    const prints = [...texts, ...texts.slice(0, 80).map((text) => `${text} indeed`)]
      .map(fingerprint)
      .sort((a, b) => b.terms.size - a.terms.size);
    const index = new NearDuplicateIndex<number>(prints);
    let merged = 0;
    prints.forEach((print, i) => {
      const expected = prints.slice(0, i).findIndex((earlier) => areNearDuplicates(print, earlier));
      expect(index.find(print)).toBe(expected === -1 ? undefined : expected);
      if (expected !== -1) merged++;
      index.add(print, i);
    });
    expect(merged).toBeGreaterThan(80);
  });
});
