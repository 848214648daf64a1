/** What a request expects of an answer, as a check: either a few keys and their kinds, or a JSON Schema of draft-07 or 2020-12. */
import { createHash } from "node:crypto";
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { MOST_SCHEMA_ERRORS } from "@/server/artifacts/normalization.rules";
import { findMisfit } from "./normalize/check-keys";

/** Characters of the schema as JSON, and its levels. */
const LARGEST_SCHEMA = 64 * 1024;
const DEEPEST_SCHEMA = 64;
/** All faults are looked for in an answer of this many characters; of a longer one only the first. */
const ALL_ERRORS_UP_TO = 256 * 1024;
const LONGEST_ERROR = 300;
const CACHED_SCHEMAS = 32;

export type SchemaDialect = "keys" | "draft-07" | "2020-12";

export interface AnswerCheck {
  dialect: SchemaDialect;
  /** Sentences about what does not fit, at most twenty; none when it fits. `length`: characters of the answer. */
  misfits(output: Record<string, unknown>, length: number): string[];
}

/** Or why there is no check: the schema is none, in one sentence. */
export type CheckOrProblem = { check: AnswerCheck } | { problem: string };

/** Newest last. */
const cache = new Map<string, CheckOrProblem>();

/** Compiled once a schema; never throws. */
export function answerCheckOf(schema: Record<string, unknown>): CheckOrProblem {
  if (!isJsonSchema(schema)) return { check: keyCheck(schema) };
  const size = sizeProblem(schema);
  if (size !== null) return { problem: size };
  const key = createHash("sha256").update(JSON.stringify(schema)).digest("base64");
  const made = cache.get(key) ?? compile(schema);
  cache.delete(key);
  cache.set(key, made);
  const oldest = cache.size > CACHED_SCHEMAS ? cache.keys().next().value : undefined;
  if (oldest !== undefined) cache.delete(oldest);
  return made;
}

/** A key-and-kind expectation has words for values; a JSON Schema names its draft or has at least one keyword in its own form. */
export function isJsonSchema(schema: Readonly<Record<string, unknown>>): boolean {
  const isForm = (key: string) => typeof schema[key] === "object" && schema[key] !== null && !Array.isArray(schema[key]);
  return (
    (typeof schema.$schema === "string" && schema.$schema.includes("://")) ||
    (isForm("properties") && (schema.type === undefined || schema.type === "object")) ||
    ["required", "anyOf", "oneOf", "allOf"].some((key) => Array.isArray(schema[key]))
  );
}

function keyCheck(schema: Readonly<Record<string, unknown>>): AnswerCheck {
  return {
    dialect: "keys",
    misfits(output) {
      const misfit = findMisfit(output, schema);
      return misfit === null ? [] : [misfit];
    },
  };
}

function sizeProblem(schema: unknown): string | null {
  if (isDeeper(schema, DEEPEST_SCHEMA)) return `The schema of the request nests deeper than ${DEEPEST_SCHEMA} levels.`;
  const { length } = JSON.stringify(schema);
  return length > LARGEST_SCHEMA
    ? `The schema of the request has ${length} characters; at most ${LARGEST_SCHEMA} are taken.`
    : null;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((entry) => isDeeper(entry, levels - 1));
}

/** A schema that promises its answer later could not be asked here. */
function isAsync(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return ("$async" in value && value.$async === true) || Object.values(value).some(isAsync);
}

function compile(schema: Record<string, unknown>): CheckOrProblem {
  const dialect = dialectOf(schema);
  if (dialect === null)
    return {
      problem: `The schema of the request names the draft “${String(schema.$schema).slice(0, 100)}”; known are draft-07 and 2020-12.`,
    };
  if (isAsync(schema)) return { problem: "The schema of the request is asynchronous ($async), which is not supported." };
  try {
    const first = compiled(schema, dialect, false);
    let all: ValidateFunction | null = null;
    return {
      check: {
        dialect,
        misfits(output, length) {
          if (first(output)) return [];
          if (length > ALL_ERRORS_UP_TO) return sentences(first.errors);
          all ??= compiled(schema, dialect, true);
          return all(output) ? sentences(first.errors) : sentences(all.errors);
        },
      },
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { problem: `The schema of the request is no JSON Schema of ${dialect}: ${reason.slice(0, LONGEST_ERROR)}.` };
  }
}

function dialectOf({ $schema }: Readonly<Record<string, unknown>>): Exclude<SchemaDialect, "keys"> | null {
  if (typeof $schema !== "string") return "2020-12";
  if (/^https?:\/\/json-schema\.org\/draft-07\/schema#?$/.test($schema)) return "draft-07";
  return /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test($schema) ? "2020-12" : null;
}

/** An instance of its own for each schema: two with the same `$id` would be refused, and none is ever let go. */
function compiled(schema: Record<string, unknown>, dialect: SchemaDialect, allErrors: boolean): ValidateFunction {
  const ajv = new (dialect === "draft-07" ? Ajv : Ajv2020)({ strict: false, allErrors, logger: false, validateFormats: true });
  addFormats.default(ajv);
  return ajv.compile(schema);
}

function sentences(errors: readonly ErrorObject[] | null | undefined): string[] {
  return (errors ?? []).slice(0, MOST_SCHEMA_ERRORS).map(sentenceOf);
}

/** Says where and what, and nothing of the answer's values. */
function sentenceOf({ instancePath, message = "does not fit", keyword, params }: ErrorObject): string {
  const where = instancePath === "" ? "The answer" : `“${instancePath.slice(0, 120)}” of the answer`;
  const more =
    keyword === "additionalProperties"
      ? ` (“${String(params.additionalProperty).slice(0, 40)}”)`
      : keyword === "enum" && Array.isArray(params.allowedValues)
        ? `: ${params.allowedValues.map(String).join(", ")}`
        : "";
  return `${`${where} ${message}${more}`.slice(0, LONGEST_ERROR - 1)}.`;
}
