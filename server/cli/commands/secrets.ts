import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import { profilesOf } from "@/server/config/profile-table";
import { providerNames, settingsOfProvider } from "@/server/config/provider-settings";
import { secretStates } from "@/server/config/secret-projection";
import { documentWithoutServer } from "@/server/container";
import { loadEnv } from "@/server/env";
import { AppError } from "@/server/shared/app-error";
import { parseArguments } from "../arguments";
import { resolvePath, type Terminal } from "../terminal";

export const SECRETS_USAGE = [
  "secrets render PROFILE [--config FILE] [--json]  which secrets a profile needs, where each comes from, and its state",
] as const;

/** What one secret of a provider is, never what it holds. */
interface RenderedSecret {
  provider: string;
  key: string;
  reference: string | null;
  state: string;
}

/**
 * Prints names and states of the secrets that the profile's providers use; values are looked at only to tell their state. Exit 0
 * when every required one is set, 1 when one is not, 2 for an unknown profile.
 */
export async function secretsCommand(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [action = "", ...rest] = argv;
  if (action !== "render")
    throw new AppError(
      "invalid_input",
      `${action === "" ? "Say what to do" : `There is no "secrets ${action}"`}; there is:\n  ${SECRETS_USAGE[0]}`,
    );
  const args = parseArguments(rest, { config: "text", json: "switch" });
  const [name, ...more] = args.positionals;
  if (name === undefined || more.length > 0) throw new AppError("invalid_input", `Name one profile: ${SECRETS_USAGE[0]}`);
  const file = args.text("config");
  const { document } = await documentWithoutServer(
    loadEnv(),
    file === undefined ? undefined : { name: file, path: resolvePath(terminal, file) },
  );
  const profiles = profilesOf(document);
  const own = settingsOfProvider(document, name);
  const profile = profiles.get(own?.profile ?? name);
  if (!profile)
    throw new AppError(
      "unknown_backend",
      `There is no profile or provider "${name}"; there are: ${[...profiles.keys()].join(", ")}.`,
    );
  const users = providerNames(document).flatMap((provider) => {
    const settings = settingsOfProvider(document, provider);
    return settings && (provider === name || (own === null && settings.profile === profile.name)) ? [settings] : [];
  });
  const secrets: RenderedSecret[] = users.flatMap((settings) => {
    const known = secretStates(settings).map(({ name: key, reference, state }) => ({
      provider: settings.name,
      key,
      reference,
      state: state as string,
    }));
    const missing = profile.requiredSecretKeys.filter((key) => !known.some((secret) => secret.key === key));
    return [...known, ...missing.map((key) => ({ provider: settings.name, key, reference: null, state: "not configured" }))];
  });
  const facts = {
    profile: profile.name,
    backendKind: profile.kind,
    command: BACKEND_KIND_FACTS[profile.kind].command,
    requiredSecretKeys: profile.requiredSecretKeys,
    isolation: profile.isolation,
  };
  if (args.on("json")) terminal.out(JSON.stringify({ ...facts, secrets }));
  else {
    terminal.out(`${facts.profile} (${facts.backendKind})`);
    terminal.out(`needs: ${facts.requiredSecretKeys.join(", ") || "no secret"}`);
    for (const { provider, key, reference, state } of secrets) terminal.out(`${provider}.${key}  ${reference ?? "-"}  ${state}`);
    if (users.length === 0) terminal.out("No provider of the configuration uses it.");
  }
  const required = secrets.filter(({ key }) => profile.requiredSecretKeys.includes(key));
  return required.every(({ state }) => state === "set") && (users.length > 0 || profile.requiredSecretKeys.length === 0) ? 0 : 1;
}
