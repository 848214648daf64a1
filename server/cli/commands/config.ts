import { userInfo } from "node:os";
import type { ConfigProblem } from "@/server/config/config.rules";
import { type LlmProvider, resolveModel } from "@/server/config/resolve-model";
import { type Container, documentWithoutServer, parseAlone } from "@/server/container";
import { loadEnv } from "@/server/env";
import { readConfigText } from "@/server/runs/config-file";
import type { RouteExplanation } from "@/server/runs/config-view.schema";
import { AppError } from "@/server/shared/app-error";
import type { Result } from "@/server/shared/result";
import { parseArguments } from "../arguments";
import { resolvePath, type Terminal } from "../terminal";

export const CONFIG_USAGE = [
  "config check FILE [--json]                     every mistake of a configuration file, with line and column",
  "config import FILE [--author A] [--comment C]  the file becomes the newest revision",
  "config export [--revision N]                   the configuration as YAML, on stdout",
  "config resolve SCENE [--config FILE] [--json]  which model the scene gets, and why",
] as const;

type WithContainer = (work: (container: Container) => Promise<number>) => Promise<number>;

/** Exit 0 all well, 2 for bad use and for a document that cannot be used. */
export async function configCommand(argv: readonly string[], terminal: Terminal, withContainer: WithContainer): Promise<number> {
  const [action = "", ...rest] = argv;
  switch (action) {
    case "check":
      return check(rest, terminal);
    case "import":
      return withContainer((container) => importFile(rest, terminal, container));
    case "export":
      return withContainer((container) => exportText(rest, terminal, container));
    case "resolve":
      return resolve(rest, terminal, withContainer);
    default:
      throw new AppError(
        "invalid_input",
        `${action === "" ? "Say what to do" : `There is no "config ${action}"`}; there are:\n${CONFIG_USAGE.map((line) => `  ${line}`).join("\n")}`,
      );
  }
}

function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? "" : "s"}`;
}

function oneOf(positionals: readonly string[], what: string, usage: string): string {
  const [only, ...more] = positionals;
  if (!only?.trim() || more.length > 0) throw new AppError("invalid_input", `Name one ${what}: ${usage.trim()}`);
  return only;
}

/** `file:line:column: severity: path: sentence`, which editors and terminals make a link of. */
function problemLine(file: string, { severity, path, line, column, message }: ConfigProblem): string {
  const where = line === null ? file : `${file}:${line}:${column ?? 1}`;
  return `${where}: ${severity}: ${path === "" ? "" : `${path}: `}${message}`;
}

function check(argv: readonly string[], terminal: Terminal): number {
  const args = parseArguments(argv, { json: "switch" });
  const given = oneOf(args.positionals, "file", CONFIG_USAGE[0]);
  const { document, problems } = parseAlone(readConfigText({ name: given, path: resolvePath(terminal, given) }));
  if (args.on("json")) terminal.out(JSON.stringify({ usable: document !== null, problems }));
  else {
    for (const problem of problems) terminal.out(problemLine(given, problem));
    const errors = problems.filter(({ severity }) => severity === "error").length;
    terminal.out(
      document
        ? `${given} can be used${problems.length > 0 ? `; ${countOf(problems.length, "warning")}` : ""}.`
        : `${given} cannot be used: ${countOf(errors, "error")}, ${countOf(problems.length - errors, "warning")}.`,
    );
  }
  return document ? 0 : 2;
}

async function importFile(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { author: "text", comment: "text", json: "switch" });
  const given = oneOf(args.positionals, "file", CONFIG_USAGE[1]);
  const text = readConfigText({ name: given, path: resolvePath(terminal, given) });
  const { document, problems } = parseAlone(text);
  for (const problem of problems) terminal.err(problemLine(given, problem));
  if (!document) return 2;
  const before = (await container.config.current()).number;
  const revision = await container.config.importText({
    text,
    author: args.text("author") ?? userName(),
    comment: args.text("comment") ?? `Imported from ${given}`,
    source: "command_line",
  });
  const { dataDir } = container;
  if (args.on("json")) terminal.out(JSON.stringify({ revision: revision.number, changed: revision.number !== before, dataDir }));
  else
    terminal.out(
      revision.number === before
        ? `Nothing has changed: revision ${revision.number} in ${dataDir} says the same.`
        : `${given} is revision ${revision.number} now, in ${dataDir}.`,
    );
  return 0;
}

async function exportText(argv: readonly string[], terminal: Terminal, container: Container): Promise<number> {
  const args = parseArguments(argv, { revision: "count" });
  if (args.positionals.length > 0) throw new AppError("invalid_input", `Nothing is named here: ${CONFIG_USAGE[2].trim()}`);
  const number = args.count("revision");
  const { text } = number === undefined ? await container.config.current() : await container.config.revision(number);
  // The terminal ends the line; a file that ends without one gets it.
  terminal.out(text.replace(/\n$/, ""));
  return 0;
}

async function resolve(argv: readonly string[], terminal: Terminal, withContainer: WithContainer): Promise<number> {
  const args = parseArguments(argv, { config: "text", json: "switch" });
  const scene = oneOf(args.positionals, "scene", CONFIG_USAGE[3]);
  const file = args.text("config");
  const named = file === undefined ? undefined : { name: file, path: resolvePath(terminal, file) };
  const { document } = await documentWithoutServer(loadEnv(), named);
  const resolved: Result<LlmProvider, string> = resolveModel(document, scene);
  return withContainer(async (container) => {
    const text = named ? readConfigText(named) : undefined;
    const why = await container.config.why(scene, text === undefined ? {} : { text });
    const isWrong = !resolved.ok || why.problem !== null;
    if (args.on("json")) {
      terminal.out(JSON.stringify({ scene, ...(resolved.ok ? resolved.value : { error: resolved.error }), why }));
      return isWrong ? 2 : 0;
    }
    if (!resolved.ok) {
      terminal.err(resolved.error);
      return 2;
    }
    for (const line of explain(why)) terminal.out(line);
    return isWrong ? 2 : 0;
  });
}

function explain(why: RouteExplanation): string[] {
  const mapped = why.inherited ? `${why.scene} has no entry of its own; default is used.` : `models.${why.scene} is used.`;
  const needs = why.requires.length === 0 ? "" : ` Requires ${why.requires.join(", ")}.`;
  const many = why.candidates.length > 1 ? ` Strategy ${why.strategy}.` : "";
  return [
    `${why.scene} -> ${why.chosen ?? "nothing"}`,
    `  ${mapped}${needs}${many}`,
    ...why.candidates.flatMap(({ reference, verdict, reason, checks }) => [
      `  ${verdict === "chosen" ? "*" : "-"} ${reference}: ${verdict.replace("_", " ")}. ${reason}`,
      ...checks.map(({ check: name, ok, message }) => `      ${ok ? "ok" : "NO"} ${name}: ${message}`),
    ]),
    ...(why.problem === null ? [] : [`  ${why.problem}`]),
  ];
}

function userName(): string {
  try {
    return userInfo().username.slice(0, 80) || "command line";
  } catch {
    // Containers run under ids that have no name.
    return "command line";
  }
}
