/** What the provider dialog holds, as entered, and what it changes in the document. */
import { CONFIG_NAME } from "@/server/config/config.rules";
import type { ConfigEdit, ConfigEvaluation, ProviderRow } from "@/server/runs/config-view.schema";
import { isKeyReference, suggestedKeyReference } from "./key-reference";

/** Empty means "the profile's", or none. */
export interface ProviderForm {
  name: string;
  profile: string;
  baseUrl: string;
  apiKey: string;
  concurrency: string;
  requestMs: string;
  idleMs: string;
  connectMs: string;
}

export const NUMBER_FIELDS = {
  concurrency: { min: 1, max: 1024 },
  requestMs: { min: 100, max: 3_600_000 },
  idleMs: { min: 100, max: 3_600_000 },
  connectMs: { min: 100, max: 3_600_000 },
} as const;
export type NumberField = keyof typeof NUMBER_FIELDS;
// Object.keys gives the keys of the literal above.
export const NUMBER_FIELD_NAMES = Object.keys(NUMBER_FIELDS) as NumberField[];

type Profile = ConfigEvaluation["profiles"][number];

/** The document as it is: an emptied field goes back to what the profile says. */
export function formOfProvider(provider: ProviderRow): ProviderForm {
  return {
    name: provider.name,
    profile: provider.profile,
    baseUrl: provider.baseUrl ?? "",
    apiKey: provider.apiKey ?? "",
    concurrency: String(provider.concurrency),
    requestMs: String(provider.timeouts.requestMs),
    idleMs: String(provider.timeouts.idleMs),
    connectMs: String(provider.timeouts.connectMs),
  };
}

/** A new provider as the profile suggests it. */
export function formOfProfile(profile: Profile, taken: readonly string[]): ProviderForm {
  let name = profile.name;
  for (let count = 2; taken.includes(name); count++) name = `${profile.name}-${count}`;
  return {
    name,
    profile: profile.name,
    baseUrl: "",
    apiKey: profile.needsKey ? suggestedKeyReference(name) : "",
    concurrency: "",
    requestMs: "",
    idleMs: "",
    connectMs: "",
  };
}

export type FormProblem = "name_taken" | "bad_name" | "not_a_reference" | "no_base_url" | "out_of_range";

export function problemsOfForm(
  form: ProviderForm,
  profile: Profile | undefined,
  taken: readonly string[],
): Partial<Record<keyof ProviderForm, FormProblem>> {
  const problems: Partial<Record<keyof ProviderForm, FormProblem>> = {};
  const name = form.name.trim();
  if (!CONFIG_NAME.test(name)) problems.name = "bad_name";
  else if (taken.includes(name)) problems.name = "name_taken";
  if (form.apiKey !== "" && !isKeyReference(form.apiKey)) problems.apiKey = "not_a_reference";
  if (profile?.needsBaseUrl && profile.baseUrl === null && form.baseUrl.trim() === "") problems.baseUrl = "no_base_url";
  for (const field of NUMBER_FIELD_NAMES) {
    const entered = form[field].trim();
    const { min, max } = NUMBER_FIELDS[field];
    const value = Number(entered);
    if (entered !== "" && (!Number.isInteger(value) || value < min || value > max)) problems[field] = "out_of_range";
  }
  return problems;
}

/** A new entry, with only what differs from its profile. */
export function editsOfNew(form: ProviderForm): ConfigEdit[] {
  const name = form.name.trim();
  const timeouts = Object.fromEntries(
    (["requestMs", "idleMs", "connectMs"] as const)
      .filter((field) => form[field].trim() !== "")
      .map((field) => [field, Number(form[field])]),
  );
  return [
    {
      path: ["providers", name],
      value: {
        ...(form.profile === name ? {} : { profile: form.profile }),
        ...(form.baseUrl.trim() === "" ? {} : { baseUrl: form.baseUrl.trim() }),
        ...(form.apiKey === "" ? {} : { apiKey: form.apiKey }),
        ...(form.concurrency.trim() === "" ? {} : { concurrency: Number(form.concurrency) }),
        ...(Object.keys(timeouts).length === 0 ? {} : { timeouts }),
      },
    },
  ];
}

/** Only the fields that were changed, so that all else stays as it was written. Models follow another name by themselves. */
export function editsOfChange(form: ProviderForm, before: ProviderForm): ConfigEdit[] {
  const name = form.name.trim();
  const renaming = name === before.name ? [] : [{ renameProvider: { from: before.name, to: name } }];
  const at = ["providers", name];
  const texts = (["profile", "baseUrl", "apiKey"] as const)
    .filter((field) => form[field].trim() !== before[field])
    .map((field) => textEdit([...at, field], form[field].trim()));
  const numbers = NUMBER_FIELD_NAMES.filter((field) => form[field].trim() !== before[field]).map((field) => {
    const path = field === "concurrency" ? [...at, field] : [...at, "timeouts", field];
    const entered = form[field].trim();
    return entered === "" ? { path } : { path, value: Number(entered) };
  });
  return [...renaming, ...texts, ...numbers];
}

function textEdit(path: string[], value: string): ConfigEdit {
  return value === "" ? { path } : { path, value };
}
