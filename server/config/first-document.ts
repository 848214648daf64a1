/** What a fresh installation starts with: made once of the environment, and the operator's from then on. */
import { stringify } from "yaml";
import type { Env } from "@/server/env";
import { checkBaseUrl, isHostOrSubdomain, isUnencrypted } from "./base-url";
import { LONGEST_MODEL, splitEndpoint } from "./config.rules";
import { type BackendProfile, BUILT_IN_PROFILES } from "./profile-table";
import { hasControlCharacter } from "./secret-reference";

/** For a host without a profile of its own: an honest placeholder that servers with one model take, and that others refuse by name. */
const UNKNOWN_HOST_MODEL = "default";
/** What LLM_CONCURRENCY is when nobody sets it. */
const USUAL_CONCURRENCY = 64;

type FirstEnv = Pick<Env, "LLM_API_URL" | "LLM_API_KEY" | "LLM_MODEL" | "LLM_CONCURRENCY">;

/**
 * The document as commented YAML, with a provider when LLM_API_URL and LLM_API_KEY are both set and usable. `problems`: one
 * sentence for each thing that keeps a provider from being there or deserves a look.
 */
export function firstDocumentText(env: FirstEnv): { text: string; problems: string[] } {
  const { LLM_API_URL: url, LLM_API_KEY: key } = env;
  if (url === undefined && key === undefined) return { text: WITHOUT_PROVIDER, problems: [] };
  if (url === undefined)
    return without(
      "LLM_API_KEY is set but LLM_API_URL is not, so no provider uses it. Set LLM_API_URL to the base of the API, up to /v1.",
    );
  const problem = addressProblem(url);
  if (problem !== null) return without(problem);
  if (key === undefined)
    return without("LLM_API_URL is set but LLM_API_KEY is not, so no provider uses it. Set LLM_API_KEY to the key of that API.");
  if ((env.LLM_MODEL ?? "").length > LONGEST_MODEL)
    return without(
      `LLM_MODEL is longer than ${LONGEST_MODEL} characters, so no provider uses it. Set it to the name of a model.`,
    );
  if (hasControlCharacter(env.LLM_MODEL ?? ""))
    return without(
      "LLM_MODEL holds a line break or another control character, so no provider uses it. Set it to the name of a model.",
    );
  const { host, hostname } = new URL(url);
  const endpoint = splitEndpoint(url)?.endpoint;
  const problems = [
    ...(isUnencrypted(url)
      ? [`LLM_API_URL sends the key to ${hostname} without encryption. Use https:// unless this is meant.`]
      : []),
    ...(endpoint === undefined
      ? []
      : [`LLM_API_URL ends in ${endpoint}, which every request adds by itself. Give the base of the API only, up to /v1.`]),
  ];
  return { text: withProvider(env, host, hostname), problems };
}

function without(problem: string) {
  return { text: WITHOUT_PROVIDER, problems: [problem] };
}

/** What is wrong with the address. The sentence never repeats it: it may hold a key. */
function addressProblem(url: string): string | null {
  const checked = checkBaseUrl(url);
  if (checked.ok) return null;
  switch (checked.error) {
    case "has_user":
      return "LLM_API_URL holds a user name or password. Put the key into LLM_API_KEY and leave the address without it.";
    case "has_query":
      return "LLM_API_URL holds a query or a fragment (? or #). Give the base of the API only, up to /v1, and put the key into LLM_API_KEY.";
    case "has_variable":
    case "not_http":
      return "LLM_API_URL is not an http:// or https:// address, so no provider uses it.";
  }
}

function withProvider(env: FirstEnv, host: string, hostname: string): string {
  const profile = profileOfHost(hostname);
  const name = profile?.name === "minimax-api" ? profile.name : "llm-api";
  const model = env.LLM_MODEL ?? profile?.defaultModel ?? UNKNOWN_HOST_MODEL;
  const concurrency = env.LLM_CONCURRENCY === USUAL_CONCURRENCY ? "" : `    concurrency: ${env.LLM_CONCURRENCY}\n`;
  return `${HEADER}
providers:
  # Made of LLM_API_URL and LLM_API_KEY, for ${host}. Both are read when a request needs them.
  ${name}:
    baseUrl: \${LLM_API_URL}
    apiKey: env:LLM_API_KEY
    profile: ${profile?.name ?? "openai-chat"}
${concurrency}
# Which model does which job. A job without a line of its own uses default.
models:
  default: ${stringify(`${name}/${model}`, { lineWidth: 0 }).trimEnd()}
`;
}

function profileOfHost(hostname: string): BackendProfile | undefined {
  return BUILT_IN_PROFILES.find(({ hosts }) => hosts.some((known) => isHostOrSubdomain(hostname, known)));
}

const HEADER = `# Which model does which job. Every change is kept as a revision; runs keep the one they started with.
# Keys never stand here, only where they are: env:NAME, \${NAME} or file:/path.
`;

const WITHOUT_PROVIDER = `${HEADER}
# To use a model of an API, add it and name it below, for example:
#
# providers:
#   openrouter:
#     baseUrl: https://openrouter.ai/api/v1
#     apiKey: env:OPENROUTER_API_KEY

# A job without a line of its own uses default. extractive/extractive-1 needs no key and no network: it picks sentences of the
# text itself. For the provider above it would be, for example: openrouter/openrouter/auto
models:
  default: extractive/extractive-1
`;
