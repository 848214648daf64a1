import { expect, it } from "vitest";
import { type Random, seededRandom } from "@/server/testing/random-markdown";
import { MODEL_CAPABILITIES, ROUTING_STRATEGIES } from "./config.rules";
import { type ConfigDocument, configDocumentSchema, TOKENIZER_IDS } from "./config-document.schema";
import { parseConfigText } from "./config-yaml";
import { editConfigText } from "./config-yaml-edit";
import { formatConfigDocument } from "./config-yaml-format";

const DOCUMENTS = 200;
/** Each with an edit of every value and back, which reads the text many times. */
const EDITED_DOCUMENTS = 16;
/** Two to three seconds of work, on a machine that has other things to do. */
const SLOW_MACHINE_MS = 30_000;

/** Texts that YAML reads as something else, or not at all, when they stand without quotes. */
const TRICKY = [
  "true",
  "null",
  "~",
  "8",
  "1e3",
  "0x1f",
  ".inf",
  "a: b",
  "a #b",
  "# c",
  "- d",
  "? e",
  "@f",
  "`g`",
  "%h",
  "&i",
  "*j",
  "!k",
  "|",
  ">",
  "[l]",
  "{m}",
  "n,o",
  "it's",
  'say "p"',
  "back\\slash",
  " blank ",
  "two\nlines",
  "tab\there",
  "密钥",
  "emoji \u{1f600}",
  "---",
  "...",
  "<<",
  "${VAR}",
  "yes",
  "2026-01-01",
  "x".repeat(200),
  "long words ".repeat(15).trim(),
];

class Generator {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  document(): ConfigDocument {
    const names = this.some(4, () => this.name());
    const profiles = this.some(2, () => this.name());
    const known = ["mock", "extractive", ...names];
    const entries = {
      ...this.maybe("providers", () => this.record(names, () => this.provider(profiles))),
      ...this.maybe("profiles", () => this.record(profiles, () => this.profile())),
      ...this.maybe("supervisor", () => ({
        ...this.maybe("enabled", () => this.chance()),
        ...this.maybe("interval", () => this.pick([false, 0, 3, 1_000] as const)),
      })),
      ...this.maybe("maxRounds", () => this.whole(1, 10_000)),
      ...this.maybe("maxDepth", () => this.whole(0, 16)),
      ...this.maybe("workflows", () =>
        this.record(
          this.some(3, () => this.text()),
          () => this.json(4),
        ),
      ),
    };
    const providers = "providers" in entries ? known : ["mock", "extractive"];
    // A provider may name a profile only when the profile is there.
    const document = {
      ...entries,
      ...this.maybe("models", () =>
        this.record(
          this.some(5, () => this.name()),
          () => this.scene(providers),
        ),
      ),
    };
    if (!("profiles" in entries)) for (const provider of Object.values(document.providers ?? {})) delete provider.profile;
    return configDocumentSchema.parse(document);
  }

  provider(profiles: string[]) {
    return {
      baseUrl: this.pick(["https://api.test/v1", "http://127.0.0.1:1/v1", "${URL}", "https://${HOST}:${PORT}/v1"]),
      apiKey: this.pick(["env:KEY", "${KEY}", "file:/run/secrets/key"]),
      ...this.maybe("profile", () => this.pick(["openai-chat", "openrouter", ...profiles])),
      ...this.maybe("concurrency", () => this.whole(1, 1_024)),
      ...this.maybe("timeouts", () => this.timeouts()),
    } as { baseUrl: string; apiKey: string; profile?: string };
  }

  profile() {
    return {
      kind: "openai-chat" as const,
      ...this.maybe("description", () => this.text()),
      ...this.maybe("baseUrl", () => "https://profile.test/v1"),
      ...this.maybe("defaultModel", () => this.text()),
      ...this.maybe("concurrency", () => this.whole(1, 1_024)),
      ...this.maybe("timeouts", () => this.timeouts()),
      ...this.maybe("tokenizer", () => this.pick(TOKENIZER_IDS)),
      ...this.maybe("scores", () => this.record([...MODEL_CAPABILITIES].slice(this.whole(0, 4)), () => this.whole(0, 100) / 100)),
    };
  }

  timeouts() {
    return {
      ...this.maybe("requestMs", () => this.whole(100, 3_600_000)),
      ...this.maybe("idleMs", () => 100),
      ...this.maybe("connectMs", () => 5_000),
    };
  }

  scene(providers: string[]) {
    const reference = (at: number) => `${this.pick(providers)}/vendor/model-${at}:${this.pick(["free", "8b", "#1", "a: b"])}`;
    if (this.chance()) return reference(0);
    return {
      ...this.maybe("requires", () => [...MODEL_CAPABILITIES].slice(this.whole(0, 5))),
      ...this.maybe("strategy", () => this.pick(ROUTING_STRATEGIES)),
      candidates: Array.from({ length: this.whole(1, 4) }, (_, at) => reference(at)),
    };
  }

  json(depth: number): unknown {
    const kind = this.whole(0, depth > 0 ? 7 : 5);
    if (kind === 0) return null;
    if (kind === 1) return this.chance();
    if (kind === 2) return this.pick([0, -1, 1.5, 1e21, 1e-7, 123456789]);
    if (kind <= 5) return this.text();
    if (kind === 6) return Array.from({ length: this.whole(0, 3) }, () => this.json(depth - 1));
    return this.record(
      this.some(3, () => this.text()),
      () => this.json(depth - 1),
    );
  }

  name(): string {
    return this.pick([
      "default",
      "extract",
      "true",
      "null",
      "8",
      "1e3",
      "a",
      "B.c_d-e",
      "openrouter2",
      "x".repeat(63),
      "yes",
      "0x10",
    ]);
  }

  text(): string {
    return this.pick(TRICKY);
  }

  chance(): boolean {
    return this.#random.below(2) === 0;
  }

  whole(least: number, most: number): number {
    return least + this.#random.below(most - least + 1);
  }

  pick<T>(items: readonly T[]): T {
    return this.#random.pick(items);
  }

  some<T>(most: number, make: () => T): T[] {
    return Array.from({ length: this.whole(0, most) }, make);
  }

  record<T>(keys: readonly string[], make: () => T): Record<string, T> {
    return Object.fromEntries(keys.map((key) => [key, make()]));
  }

  maybe<K extends string, T>(key: K, make: () => T): { [P in K]?: T } {
    // One key, the given one.
    return this.chance() ? ({ [key]: make() } as { [P in K]: T }) : {};
  }
}

it(
  `gives ${DOCUMENTS} documents back as they were written`,
  () => {
    for (let seed = 1; seed <= DOCUMENTS; seed++) {
      const document = new Generator(seed).document();
      const text = formatConfigDocument(document);
      const parsed = parseConfigText(text);
      expect({ seed, errors: parsed.problems.filter(({ severity }) => severity === "error") }).toEqual({ seed, errors: [] });
      expect({ seed, document: parsed.document }).toEqual({ seed, document });
      expect(formatConfigDocument(parsed.document ?? {})).toBe(text);
    }
  },
  SLOW_MACHINE_MS,
);

it(
  "gives the text back when an edit is undone",
  () => {
    let edits = 0;
    for (let seed = 1; seed <= EDITED_DOCUMENTS; seed++) {
      const generator = new Generator(seed);
      const text = decorated(formatConfigDocument(generator.document()), generator);
      for (const { path, value } of leavesOf(parseConfigText(text).document)) {
        // A text of several lines comes back on one line.
        if (typeof value === "string" && value.includes("\n")) continue;
        const other = typeof value === "number" ? value + 1 : typeof value === "boolean" ? !value : generator.text();
        const there = editConfigText(text, [{ path, value: other }]);
        const back = there.ok ? editConfigText(there.value, [{ path, value }]) : there;
        expect({ seed, path, back }).toEqual({ seed, path, back: { ok: true, value: text } });
        edits += 1;
      }
      const added = editConfigText(text, [{ path: ["workflows-of-a-test"], value: generator.json(3) ?? 1 }]);
      const removed = added.ok ? editConfigText(added.value, [{ path: ["workflows-of-a-test"] }]) : added;
      expect({ seed, removed }).toEqual({ seed, removed: { ok: true, value: text } });
    }
    expect(edits).toBeGreaterThan(150);
  },
  SLOW_MACHINE_MS,
);

/** Comments and blank lines between the lines, where nothing is a text of several lines. */
function decorated(text: string, generator: Generator): string {
  if (/[|>][-+]?\n/.test(text)) return text;
  return text
    .split("\n")
    .map((line) => (line !== "" && generator.whole(0, 4) === 0 ? `${line.match(/^ */)?.[0] ?? ""}# above\n\n${line}` : line))
    .join("\n");
}

type Leaf = { path: (string | number)[]; value: string | number | boolean };

function leavesOf(value: unknown, path: (string | number)[] = []): Leaf[] {
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return [{ path, value }];
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return entries.flatMap(([key, inner]) => leavesOf(inner, [...path, key]));
}
