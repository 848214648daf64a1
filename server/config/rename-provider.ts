/** Gives a provider of a document another name, and leaves the rest of its text as it is. */
import { isDeepStrictEqual } from "node:util";
import { isMap, isScalar, isSeq, type ParsedNode } from "yaml";
import type { Result } from "@/server/shared/result";
import { CONFIG_NAME, splitModelReference } from "./config.rules";
import { parseConfigText } from "./config-yaml";
import { editConfigText } from "./config-yaml-edit";
import { isRecord, valueOfText } from "./document/edit-value";
import { parseYaml } from "./document/parse-yaml";
import { ProblemList } from "./document/problem-list";
import { shownName } from "./document/shown-name";
import { inlineValue } from "./document/yaml-style";
import { settingsOfProvider } from "./provider-settings";

interface Replacement {
  start: number;
  end: number;
  by: string;
}

/**
 * The text with the provider's key and every model of it in `models` and `prices` under the new name: comments, order and quotes stay, what
 * an alias repeats follows. A profile that only the old name (or only the new one) stands for is kept by naming it. The error is
 * one sentence.
 */
export function renameProvider(text: string, from: string, to: string): Result<string, string> {
  if (!CONFIG_NAME.test(to))
    return refuse(
      `"${shownName(to)}" cannot be a name; use letters, digits, ".", "_" and "-", and begin with a letter or a digit.`,
    );
  const before = valueOfText(text);
  const document = before === undefined ? null : parseYaml(text, new ProblemList(text));
  if (!document) return refuse("The text cannot be read as YAML, or says something twice; mend it as a text first.");
  const providers = recordOf(recordOf(before).providers);
  if (!Object.hasOwn(providers, from)) return refuse(`The document has no provider "${shownName(from)}" that could be renamed.`);
  if (from === to) return { ok: true, value: text };
  if (Object.hasOwn(providers, to)) return refuse(`There is a provider "${shownName(to)}" already; choose another name.`);

  const replacements = [
    ...keyOf(document.contents, from, to),
    ...referencesOf(document.contents, from, to),
    ...priceKeysOf(document.contents, from, to),
  ];
  const renamed = replaced(text, replacements);
  // What is reached through an alias of a whole section, for example, is not followed.
  if (!isDeepStrictEqual(valueOfText(renamed), renamedValue(before, from, to)))
    return refuse(`The provider "${shownName(from)}" cannot be renamed by itself here; edit the text.`);
  const profile = profileOf(text, from);
  if (profile === null || profile === profileOf(renamed, to)) return { ok: true, value: renamed };
  return editConfigText(renamed, [{ path: ["providers", to, "profile"], value: profile }]);
}

function refuse(error: string): Result<string, string> {
  return { ok: false, error };
}

function recordOf(value: unknown): Record<string, unknown> {
  return isRecord(value) ? value : {};
}

function profileOf(text: string, provider: string): string | null {
  const { partial } = parseConfigText(text);
  return partial && (settingsOfProvider(partial, provider)?.profile ?? null);
}

function renamedReference(reference: unknown, from: string, to: string): unknown {
  const parts = typeof reference === "string" ? splitModelReference(reference) : null;
  return parts?.provider === from ? `${to}/${parts.model}` : reference;
}

/** What the text has to say afterwards. */
function renamedValue(before: unknown, from: string, to: string): unknown {
  const whole = recordOf(before);
  const entries = Object.entries(recordOf(whole.providers)).map(([name, value]) => [name === from ? to : name, value]);
  const models = Object.entries(recordOf(whole.models)).map(([scene, mapping]) => {
    const { candidates } = recordOf(mapping);
    if (!Array.isArray(candidates)) return [scene, renamedReference(mapping, from, to)];
    return [scene, { ...recordOf(mapping), candidates: candidates.map((each: unknown) => renamedReference(each, from, to)) }];
  });
  const prices = Object.entries(recordOf(whole.prices)).map(([key, value]) => [renamedReference(key, from, to), value]);
  return {
    ...whole,
    providers: Object.fromEntries(entries),
    ...(isRecord(whole.models) ? { models: Object.fromEntries(models) } : {}),
    ...(isRecord(whole.prices) ? { prices: Object.fromEntries(prices) } : {}),
  };
}

type Place = ParsedNode | null | undefined;

function valueIn(node: Place, key: string): Place {
  return isMap(node) ? node.items.find((pair) => isScalar(pair.key) && pair.key.value === key)?.value : null;
}

function isFlow(node: Place): boolean {
  return (isMap(node) || isSeq(node)) && node.flow === true;
}

function keyOf(root: Place, from: string, to: string): Replacement[] {
  const providers = valueIn(root, "providers");
  if (!isMap(providers)) return [];
  const isInFlow = isFlow(root) || isFlow(providers);
  return providers.items.flatMap(({ key }) => (isScalar(key) && key.value === from ? replacement(key, to, isInFlow) : []));
}

function referencesOf(root: Place, from: string, to: string): Replacement[] {
  const models = valueIn(root, "models");
  if (!isMap(models)) return [];
  return models.items.flatMap(({ value }) => {
    const candidates = valueIn(value, "candidates");
    const nodes = isSeq(candidates) ? candidates.items : [value];
    const isInFlow = [root, models, value, candidates].some(isFlow);
    return nodes.flatMap((node) => {
      if (!isScalar(node)) return [];
      const renamed = renamedReference(node.value, from, to);
      return renamed === node.value ? [] : replacement(node, renamed, isInFlow);
    });
  });
}

function priceKeysOf(root: Place, from: string, to: string): Replacement[] {
  const prices = valueIn(root, "prices");
  if (!isMap(prices)) return [];
  const isInFlow = isFlow(root) || isFlow(prices);
  return prices.items.flatMap(({ key }) => {
    if (!isScalar(key)) return [];
    const renamed = renamedReference(key.value, from, to);
    return renamed === key.value ? [] : replacement(key, renamed, isInFlow);
  });
}

function replacement(node: ParsedNode, value: unknown, isInFlow: boolean): Replacement[] {
  const quote = isScalar(node) ? (node.type ?? null) : null;
  return [{ start: node.range[0], end: node.range[1], by: inlineValue(value, isInFlow, quote) }];
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  return replacements
    .toSorted((left, right) => right.start - left.start)
    .reduce((rest, { start, end, by }) => rest.slice(0, start) + by + rest.slice(end), text);
}
