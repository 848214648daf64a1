/** The only reader of `process.env`. Everything else gets an `Env`, or a secret through the projection. */
import { isIP } from "node:net";
import path from "node:path";
import { z } from "zod";
import { isLoopback } from "./shared/loopback.rules";

/** An unset variable and an empty or blank one are the same: `LLM_MODEL=` in a file means "not set". */
const optionalText = z
  .string()
  .transform((value) => value.trim())
  .transform((value) => (value === "" ? undefined : value))
  .optional();

function withDefault(fallback: string): z.ZodType<string> {
  return optionalText.transform((value) => value ?? fallback);
}

/** Visible ASCII only: the token travels in a header. */
const TOKEN = /^[\x21-\x7e]{16,512}$/;
const HOST_NAME = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*\.?$/i;

/** `[::]` as addresses write it is `::` as a socket wants it. */
function withoutBrackets(host: string): string {
  return host.replace(/^\[(.*)\]$/, "$1");
}

/** The origin of an address that is nothing but one, else null. */
function originOf(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const isBare = url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  return isBare && /^https?:$/.test(url.protocol) && !/[?#@\\]/.test(address) ? url.origin : null;
}

const envSchema = z.object({
  PORT: withDefault("4310").transform((value, context) => {
    const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
    // 0 lets the system choose, which tests and supervisors use.
    if (port >= 0 && port <= 65_535) return port;
    context.addIssue({ code: "custom", message: `must be a port number from 0 to 65535, not "${value.slice(0, 40)}"` });
    return z.NEVER;
  }),
  SWITCHYARD_DATA_DIR: withDefault("./data"),
  HOST: withDefault("127.0.0.1").transform((value, context) => {
    const host = withoutBrackets(value);
    if (isIP(host) !== 0 || (HOST_NAME.test(host) && !/^[\d.]+$/.test(host))) return host;
    context.addIssue({
      code: "custom",
      message: `must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0, :: or localhost, not "${value.slice(0, 40)}"`,
    });
    return z.NEVER;
  }),
  SWITCHYARD_TOKEN: optionalText.refine((value) => value === undefined || TOKEN.test(value), {
    error:
      "must be 16 to 512 visible ASCII characters without spaces, because it travels in a header; make one with: openssl rand -hex 24",
  }),
  SWITCHYARD_URL: optionalText.transform((value, context) => {
    const origin = value === undefined ? undefined : originOf(value);
    if (origin !== null) return origin;
    context.addIssue({
      code: "custom",
      message: "must be what browsers open, http:// or https:// with a host and no path, such as https://switchyard.example.com",
    });
    return z.NEVER;
  }),
  SWITCHYARD_CONFIG: optionalText,
  SWITCHYARD_SECRETS_DIR: optionalText.refine((value) => value === undefined || path.isAbsolute(value), {
    error: "must be the absolute path of the folder that file: references lead into, such as /run/secrets",
  }),
  SWITCHYARD_CHECK_MINUTES: withDefault("10").transform((value, context) => {
    const minutes = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
    if (minutes <= 1_440) return minutes;
    context.addIssue({
      code: "custom",
      message: `must be a number of minutes from 0 (never) to 1440, not "${value.slice(0, 40)}"`,
    });
    return z.NEVER;
  }),
  SWITCHYARD_CODEX_BIN: optionalText.refine((value) => value === undefined || path.isAbsolute(value), {
    error: "must be the absolute path of the codex program",
  }),
  SWITCHYARD_CLAUDE_BIN: optionalText.refine((value) => value === undefined || path.isAbsolute(value), {
    error: "must be the absolute path of the claude program",
  }),
  LLM_API_URL: optionalText,
  LLM_API_KEY: optionalText,
  LLM_MODEL: optionalText,
  LLM_CONCURRENCY: withDefault("64").transform((value, context) => {
    const requests = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
    if (requests >= 1 && requests <= 1_024) return requests;
    context.addIssue({
      code: "custom",
      message: `must be a number of requests at once from 1 to 1024, not "${value.slice(0, 40)}"`,
    });
    return z.NEVER;
  }),
  LOG_LEVEL: withDefault("info").pipe(z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"])),
  NODE_ENV: withDefault("development").pipe(z.enum(["development", "production", "test"])),
});

/** What the process was started with, checked. Of secrets it holds only whether they are set: their values are read where they are used. */
export interface Env {
  readonly PORT: number;
  /** Folder of the database and its files, as given (relative to the working directory). */
  readonly SWITCHYARD_DATA_DIR: string;
  /** Where the server listens: an IPv4 or IPv6 address (without brackets) or a name. */
  readonly HOST: string;
  /** Whoever has it may come in; once it is set, nobody else may. */
  readonly SWITCHYARD_TOKEN: "set" | undefined;
  /** The origin that browsers open (`https://switchyard.example.com`), when it is not this machine's own. */
  readonly SWITCHYARD_URL: string | undefined;
  /** A configuration file that is imported at start when it has changed; as given, relative to the folder of the caller. */
  readonly SWITCHYARD_CONFIG: string | undefined;
  /** The folder below which files of `file:` references must stand, as an absolute path; undefined = any file. */
  readonly SWITCHYARD_SECRETS_DIR: string | undefined;
  /** How old what is known of a provider may grow before it is checked by the clock; 0 = never checked so. */
  readonly SWITCHYARD_CHECK_MINUTES: number;
  /** The Codex program, when it is not the one in PATH. */
  readonly SWITCHYARD_CODEX_BIN: string | undefined;
  /** The Claude Code program, when it is not the one in PATH. */
  readonly SWITCHYARD_CLAUDE_BIN: string | undefined;
  readonly LLM_API_URL: string | undefined;
  readonly LLM_API_KEY: "set" | undefined;
  readonly LLM_MODEL: string | undefined;
  /** Requests at once to that API, over all runs of this process. */
  readonly LLM_CONCURRENCY: number;
  readonly LOG_LEVEL: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  readonly NODE_ENV: "development" | "production" | "test";
}

type Source = Readonly<Record<string, string | undefined>>;

/** Who may reach this server from elsewhere must sign in, under a name that the operator gave. */
function reachProblems(source: Source): string[] {
  const given = (name: string) => source[name]?.trim() ?? "";
  const host = withoutBrackets(given("HOST")) || "127.0.0.1";
  const origin = originOf(given("SWITCHYARD_URL"));
  const problems: string[] = [];
  const needs = (name: string, why: string) => {
    if (given(name) === "") problems.push(`${name} must be set: ${why}`);
  };
  if (!isLoopback(host)) {
    const reach = `HOST=${host.slice(0, 40)} lets other machines in`;
    needs("SWITCHYARD_TOKEN", `${reach}, and they sign in with this token; make one with: openssl rand -hex 24`);
    needs("SWITCHYARD_URL", `${reach}, and this is the address they open, such as http://192.168.1.5:4310`);
  } else if (origin !== null && !isLoopback(new URL(origin).hostname)) {
    needs("SWITCHYARD_TOKEN", "SWITCHYARD_URL lets pages of another host name in, and they sign in with this token");
  }
  return problems;
}

/** Reads and checks the environment. Throws one error that lists every problem, one a line, without any value of a secret. */
export function loadEnv(source: Source = process.env): Env {
  const parsed = envSchema.safeParse(source);
  const issues = parsed.success ? [] : parsed.error.issues;
  const problems = issues.map((issue) => `${issue.path.join(".")} ${issue.message}`);
  // A HOST that is none lets nobody in.
  if (!issues.some((issue) => issue.path[0] === "HOST")) problems.push(...reachProblems(source));
  if (!parsed.success || problems.length > 0)
    throw new Error(`The environment is not usable:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  const {
    LLM_API_URL,
    LLM_API_KEY,
    LLM_MODEL,
    SWITCHYARD_CLAUDE_BIN,
    SWITCHYARD_CODEX_BIN,
    SWITCHYARD_CONFIG,
    SWITCHYARD_SECRETS_DIR,
    SWITCHYARD_TOKEN,
    SWITCHYARD_URL,
    ...rest
  } = parsed.data;
  const whether = (secret: string | undefined) => (secret === undefined ? undefined : ("set" as const));
  return Object.freeze({
    ...rest,
    SWITCHYARD_TOKEN: whether(SWITCHYARD_TOKEN),
    SWITCHYARD_URL,
    SWITCHYARD_CONFIG,
    SWITCHYARD_SECRETS_DIR,
    SWITCHYARD_CODEX_BIN,
    SWITCHYARD_CLAUDE_BIN,
    LLM_API_URL,
    LLM_API_KEY: whether(LLM_API_KEY),
    LLM_MODEL,
  });
}

/** One variable as it stands, untrimmed; for config/secret-source alone. What every object inherits (`toString`) is no variable. */
export function readSecretVariable(name: string): string | undefined {
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined;
}

/** The folder of SWITCHYARD_SECRETS_DIR, or null; for config/secret-source alone, which every reading of a secret goes through. */
export function secretsFolder(): string | null {
  return process.env.SWITCHYARD_SECRETS_DIR?.trim() || null;
}

/** The folder the operator called npm from; npm itself changes into the project's. */
export function invocationFolder(source: Source = process.env): string {
  return source.INIT_CWD?.trim() || process.cwd();
}

/** What a program that we start needs of this process: where programs are, the language, and the way out. */
const CHILD_VARIABLES = [
  "PATH",
  "LANG",
  "LC_ALL",
  "TZ",
  "HTTP_PROXY",
  "HTTPS_PROXY",
  "NO_PROXY",
  "http_proxy",
  "https_proxy",
  "no_proxy",
  "SSL_CERT_FILE",
  "SSL_CERT_DIR",
] as const;

/** The allow-listed variables that are set, as they stand: the whole environment of a child, keys of ours excluded. */
export function childEnvironment(source: Source = process.env): Record<string, string> {
  return Object.fromEntries(
    CHILD_VARIABLES.flatMap((name) => {
      const value = source[name];
      return value === undefined || value === "" ? [] : [[name, value] as const];
    }),
  );
}
