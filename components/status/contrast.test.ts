import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { TONES } from "@/components/ui/tone";

/** WCAG 2.2: words 4.5:1 (1.4.3), marks and borders of controls 3:1 (1.4.11). */
const TEXT = 4.5;
const MARK = 3;

const css = readFileSync(path.join(import.meta.dirname, "../../app/globals.css"), "utf8");

function themeOf(selector: string): Map<string, string> {
  const start = css.indexOf(`\n${selector} {`);
  const block = css.slice(start, css.indexOf("\n}", start));
  return new Map([...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name = "", value = ""]) => [name, value]));
}

function luminance(hex: string): number {
  const channels = [1, 3, 5].map((start) => {
    const part = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [red = 0, green = 0, blue = 0] = channels;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a: string, b: string): number {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
}

const BACKGROUNDS = ["canvas", "surface", "sunken", "hover"] as const;

const PAIRS: { front: string; back: string; least: number }[] = [
  ...["ink", "ink-soft", "ink-faint"].flatMap((front) => BACKGROUNDS.map((back) => ({ front, back, least: TEXT }))),
  ...["accent", "danger"].flatMap((front) => [
    { front: `${front}-ink`, back: front, least: TEXT },
    { front: `${front}-ink`, back: `${front}-hover`, least: TEXT },
  ]),
  ...["accent-soft", "surface", "canvas"].map((back) => ({ front: "accent", back, least: TEXT })),
  ...BACKGROUNDS.map((back) => ({ front: "focus", back, least: MARK })),
  ...["surface", "canvas"].map((back) => ({ front: "line-strong", back, least: MARK })),
  ...TONES.flatMap((tone) => [
    ...["surface", "canvas", "hover", `${tone}-soft`].map((back) => ({ front: `${tone}-text`, back, least: TEXT })),
    ...["surface", "canvas", "sunken", "hover"].map((back) => ({ front: `${tone}-mark`, back, least: MARK })),
    { front: "ink-soft", back: `${tone}-soft`, least: TEXT },
  ]),
];

describe("contrast", () => {
  it("is measured as WCAG says", () => {
    expect(contrast("#000000", "#ffffff")).toBe(21);
    expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  });

  it.each([":root", ".dark"])("of every pair is enough in %s", (selector) => {
    const theme = themeOf(selector);
    const poor = PAIRS.map(({ front, back, least }) => {
      const [a, b] = [theme.get(front), theme.get(back)];
      if (a === undefined || b === undefined) return `${front} or ${back} is missing`;
      const ratio = contrast(a, b);
      return ratio < least ? `${front} on ${back}: ${ratio.toFixed(2)} < ${least}` : null;
    }).filter((line) => line !== null);
    expect(poor).toEqual([]);
  });
});
