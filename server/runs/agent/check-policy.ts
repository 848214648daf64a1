/** Whether a policy is within what the operator allows: at the order, and once more when the turn starts, for both may have changed. */
import { lstat, mkdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { BACKEND_KIND_FACTS } from "@/server/config/backend-kind.rules";
import type { AgentRules } from "@/server/config/config-document.schema";
import { isWithinSandbox } from "@/server/config/execution-policy.rules";
import type { ExecutionPolicy } from "@/server/config/execution-policy.schema";
import type { ProviderSettings } from "@/server/config/provider-settings.schema";
import type { Result } from "@/server/shared/result";
import type { StoredThread } from "./agent-reads.store";

/** Resolves with the workspace as it really is, or with the sentence that says why not. */
export type CheckWorkspace = (thread: StoredThread) => Promise<Result<string, string>>;

/** Every reason against it, one sentence each; pure. */
export function policyProblems(policy: ExecutionPolicy, rules: AgentRules, settings: ProviderSettings): string[] {
  const problems: string[] = [];
  const { name } = settings;
  if (!BACKEND_KIND_FACTS[settings.kind].worksAsAgent) problems.push(`${name} is no agent: its kind is ${settings.kind}.`);
  if (rules.backends && !rules.backends.includes(name))
    problems.push(`${name} may not be used for agent runs: agents.backends of the configuration lists ${list(rules.backends)}.`);
  const sandbox = rules.sandbox ?? "workspace-write";
  if (!isWithinSandbox(policy.sandbox, sandbox))
    problems.push(
      `The sandbox ${policy.sandbox} is wider than ${sandbox}, the most that agents.sandbox of the configuration allows.`,
    );
  if (policy.network && rules.network !== true)
    problems.push("Network access is not allowed: set agents.network to true in the configuration first.");
  const most = rules.timeoutMs;
  if (most !== undefined && policy.timeoutMs > most)
    problems.push(`The time limit of ${policy.timeoutMs} ms is above ${most} ms, the most that agents.timeoutMs allows.`);
  const reference = settings.secretRefs.apiKey;
  const credential = policy.secretScope.providerCredentials.find(({ profile }) => profile === name);
  if (!credential) problems.push(`The secret scope names no credential for ${name}: add it to executionPolicy.secretScope.`);
  else if (credential.secretRef !== reference)
    problems.push(
      `The secret scope names another secret for ${name} than providers.${name}.apiKey does; use the configured reference.`,
    );
  return problems;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? "nobody" : names.join(", ");
}

export interface WorkspaceRules {
  /** Folders under which workspaces may lie. */
  allowed: readonly string[];
  /** Where runs without a workspace get one of their own. */
  ownFolder: string;
  /** False only looks: a folder of a run's own that is not there is then as good as there. Usual: true. */
  mayMake?: boolean;
}

/**
 * The folder with its links resolved, so that a link leads nowhere else. The run's own one, right below `ownFolder`, is made when it
 * is not there; anything deeper could lie behind a link.
 */
export async function resolveWorkspace(
  workspace: string,
  { allowed, ownFolder, mayMake = true }: WorkspaceRules,
): Promise<Result<string, string>> {
  if (!path.isAbsolute(workspace)) return err(`The workspace must be an absolute path, not "${workspace}".`);
  const isOwn = path.dirname(path.resolve(workspace)) === ownFolder;
  const realRoots = () =>
    Promise.all([ownFolder, ...allowed].map((root) => realpath(/* turbopackIgnore: true */ root).catch(() => null)));
  const outside = err(
    allowed.length === 0
      ? `The workspace ${workspace} is not allowed: name its folder in agents.workspaces of the configuration first.`
      : `The workspace ${workspace} lies in none of the folders that agents.workspaces allows (${allowed.join(", ")}).`,
  );
  // Whether something is there, and what it is, is told of these folders only.
  const given = path.resolve(workspace);
  const inside = async (sentence: string) =>
    [ownFolder, ...allowed, ...(await realRoots())].some((root) => root !== null && isBelow(given, root))
      ? err(sentence)
      : outside;
  let real: string;
  try {
    if (isOwn && mayMake) await mkdir(/* turbopackIgnore: true */ workspace, { recursive: true, mode: 0o700 });
    else if (isOwn && !(await isThere(workspace))) return ok(workspace);
    real = await realpath(/* turbopackIgnore: true */ workspace);
    if (!(await stat(/* turbopackIgnore: true */ real)).isDirectory()) return inside(`The workspace ${workspace} is no folder.`);
  } catch {
    return inside(`The workspace ${workspace} is not there, or cannot be read by this server.`);
  }
  // Each run has a folder of its own below the server's; all of them together are nobody's.
  const [own, ...others] = await realRoots();
  if (own && real !== own && isBelow(real, own)) return ok(real);
  if (others.some((root) => root !== null && isBelow(real, root))) return ok(real);
  return outside;
}

const ok = (value: string): Result<string, string> => ({ ok: true, value });
const err = (error: string): Result<string, string> => ({ ok: false, error });

async function isThere(file: string): Promise<boolean> {
  return lstat(/* turbopackIgnore: true */ file).then(
    () => true,
    () => false,
  );
}

/** True for the folder itself, too. */
function isBelow(file: string, folder: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (!relative.startsWith(`..${path.sep}`) && relative !== ".." && !path.isAbsolute(relative));
}
