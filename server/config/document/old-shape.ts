/** The shape of an older version: one `extract` at the top, with provider, model and key in one place. */
import { variablesOf, writtenFault } from "../base-url";
import { CONFIG_NAME, splitModelReference } from "../config.rules";
import { BUILT_IN_PROFILES } from "../profile-table";
import { parseSecretReference } from "../secret-reference";
import type { ConfigNode } from "./config-node";
import type { ConfigPlace, ProblemList } from "./problem-list";
import { isShowable, suggestedVariable } from "./shown-name";

/** Says the lines to write instead, filled with what the old ones say. Nothing that may be a key is repeated. */
export function sayOldShape(place: ConfigPlace, node: ConfigNode, problems: ProblemList): void {
  const lines = newLines(node).join("\n");
  problems.error("old_shape", place, `The section extract is of an older version; remove it and write instead:\n${lines}`, {
    lines,
  });
}

function newLines(node: ConfigNode): string[] {
  if (node.kind !== "mapping") {
    const parts = node.kind === "text" && isShowable(node.value) ? splitModelReference(node.value) : null;
    return ["models:", `  extract: ${parts ? `${parts.provider}/${parts.model}` : "PROVIDER/MODEL"}`];
  }
  const text = (...names: string[]) => {
    const found = node.entries.find(({ key }) => names.includes(key))?.value;
    return found?.kind === "text" && found.value.trim() !== "" ? found.value.trim() : null;
  };
  const named = text("provider");
  const provider = named !== null && CONFIG_NAME.test(named) && isShowable(named) ? named : "my-provider";
  const url = text("baseUrl", "baseURL", "base_url");
  const isUsableUrl = url !== null && variablesOf(url) !== null && writtenFault(url) === null && isShowable(url);
  const key = text("apiKey", "api_key");
  const isReference = key !== null && parseSecretReference(key) !== null;
  const profile = BUILT_IN_PROFILES.find(({ name }) => name === provider);
  const needsKey =
    node.entries.some(({ key: name }) => name === "apiKey" || name === "api_key") ||
    profile?.requiredSecretKeys.includes("apiKey");
  const model = text("model");
  const fields = [
    ...(isUsableUrl ? [`    baseUrl: ${url}`] : profile ? [] : ["    baseUrl: https://HOST/v1"]),
    ...(needsKey ? [`    apiKey: ${isReference ? key : `env:${suggestedVariable(provider)}`}`] : []),
  ];
  const entry = profile?.standsAlone ? [] : ["providers:", `  ${provider}:${fields.length === 0 ? " {}" : ""}`, ...fields];
  return [...entry, "models:", `  extract: ${provider}/${model !== null && isShowable(model) ? model : "MODEL"}`];
}
