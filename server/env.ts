/** The only reader of `process.env`. Everything else gets an `Env`, or a secret through the projection. */
import { z } from "zod";

/** An unset variable and an empty or blank one are the same: `LLM_MODEL=` in a file means "not set". */
const optionalText = z
  .string()
  .transform((value) => value.trim())
  .transform((value) => (value === "" ? undefined : value))
  .optional();

function withDefault(fallback: string): z.ZodType<string> {
  return optionalText.transform((value) => value ?? fallback);
}

const LOOPBACK_HOSTS = ["127.0.0.1", "::1", "localhost"];

const envSchema = z.object({
  PORT: withDefault("4310").transform((value, context) => {
    const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
    // 0 lets the system choose, which tests and supervisors use.
    if (port >= 0 && port <= 65_535) return port;
    context.addIssue({ code: "custom", message: `must be a port number from 0 to 65535, not "${value.slice(0, 40)}"` });
    return z.NEVER;
  }),
  SWITCHYARD_DATA_DIR: withDefault("./data"),
  HOST: withDefault("127.0.0.1").refine((value) => LOOPBACK_HOSTS.includes(value), {
    error:
      "must be 127.0.0.1, ::1 or localhost: Switchyard has no sign-in, so it listens on this machine only; put a proxy that asks for a password in front of it to reach it from elsewhere",
  }),
  SWITCHYARD_CONFIG: optionalText,
  SWITCHYARD_CHECK_MINUTES: withDefault("10").transform((value, context) => {
    const minutes = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN;
    if (minutes <= 1_440) return minutes;
    context.addIssue({
      code: "custom",
      message: `must be a number of minutes from 0 (never) to 1440, not "${value.slice(0, 40)}"`,
    });
    return z.NEVER;
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

/** What the process was started with, checked. `LLM_API_KEY` is only whether it is set: the value goes through the secret projection. */
export interface Env {
  readonly PORT: number;
  /** Folder of the database and its files, as given (relative to the working directory). */
  readonly SWITCHYARD_DATA_DIR: string;
  readonly HOST: string;
  /** A configuration file that is imported at start when it has changed; as given, relative to the folder of the caller. */
  readonly SWITCHYARD_CONFIG: string | undefined;
  /** How old what is known of a provider may grow before it is checked by the clock; 0 = never checked so. */
  readonly SWITCHYARD_CHECK_MINUTES: number;
  readonly LLM_API_URL: string | undefined;
  readonly LLM_API_KEY: "set" | undefined;
  readonly LLM_MODEL: string | undefined;
  /** Requests at once to that API, over all runs of this process. */
  readonly LLM_CONCURRENCY: number;
  readonly LOG_LEVEL: "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";
  readonly NODE_ENV: "development" | "production" | "test";
}

type Source = Readonly<Record<string, string | undefined>>;

/** Reads and checks the environment. Throws one error that lists every problem, one a line, without any value of a secret. */
export function loadEnv(source: Source = process.env): Env {
  const parsed = envSchema.safeParse(source);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => `  ${issue.path.join(".")} ${issue.message}`);
    throw new Error(`The environment is not usable:\n${problems.join("\n")}`);
  }
  const { SWITCHYARD_CONFIG, LLM_API_URL, LLM_API_KEY, LLM_MODEL, ...rest } = parsed.data;
  return Object.freeze({
    ...rest,
    SWITCHYARD_CONFIG,
    LLM_API_URL,
    LLM_API_KEY: LLM_API_KEY === undefined ? undefined : "set",
    LLM_MODEL,
  });
}

/** One variable as it stands, untrimmed; for config/secret-source alone. What every object inherits (`toString`) is no variable. */
export function readSecretVariable(name: string): string | undefined {
  return Object.hasOwn(process.env, name) ? process.env[name] : undefined;
}

/** The folder the operator called npm from; npm itself changes into the project's. */
export function invocationFolder(source: Source = process.env): string {
  return source.INIT_CWD?.trim() || process.cwd();
}
