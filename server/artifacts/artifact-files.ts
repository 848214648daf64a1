import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { AppError } from "@/server/shared/app-error";
import { issueSentence, plainWords } from "@/server/shared/issue-sentence";
import { REQUEST_VERSION, type RequestArtifact, requestArtifactSchema } from "./request-artifact.schema";
import { type ResultArtifact, resultArtifactSchema } from "./result-artifact.schema";

/** Writes the whole file or nothing: a temporary file beside it, then a rename. Makes the folders. */
export async function writeFileWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const temporary = `${file}.${randomBytes(6).toString("hex")}.tmp`;
  try {
    await writeFile(temporary, text, { flush: true });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** `relative` below `root`; throws when it would lead out of it. */
export function insideRoot(root: string, relative: string): string {
  const target = path.resolve(root, relative);
  if (target !== path.resolve(root) && !target.startsWith(path.resolve(root) + path.sep)) {
    throw new AppError("invalid_input", `The path ${relative} leads out of the folder it belongs in.`);
  }
  return target;
}

export interface RequestFile {
  file: string;
  request: RequestArtifact;
  /** Of the exact bytes of the file. */
  sha256: string;
}

/** Reads and checks a request file of any program; one sentence names the file and the field that is wrong. */
export async function readRequestFile(file: string): Promise<RequestFile> {
  const { text, sha256 } = await readUtf8(file);
  const parsed = requestArtifactSchema.safeParse(parseJsonFile(file, text), { error: plainWords });
  if (!parsed.success) throw new AppError("invalid_input", `${file} is not a request artifact: ${issueSentence(parsed.error)}.`);
  return { file, request: parsed.data, sha256 };
}

/** The result in a file, or null when there is none or it is none: such a file may be replaced. */
export async function readResultFile(file: string): Promise<ResultArtifact | null> {
  try {
    return resultArtifactSchema.safeParse(JSON.parse((await readUtf8(file)).text)).data ?? null;
  } catch {
    return null;
  }
}

/** Whether a request of any program stands in the file, under whatever name or link. */
export async function holdsRequest(file: string): Promise<boolean> {
  try {
    const value: unknown = JSON.parse((await readUtf8(file)).text);
    return typeof value === "object" && value !== null && "version" in value && value.version === REQUEST_VERSION;
  } catch {
    return false;
  }
}

/** The text without a byte order mark, and the hash of the file as it is. */
async function readUtf8(file: string): Promise<{ text: string; sha256: string }> {
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (error) {
    throw new AppError("not_found", `${file} cannot be read: ${error instanceof Error ? error.message : String(error)}.`, {
      cause: error,
    });
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, sha256: createHash("sha256").update(bytes).digest("hex") };
  } catch {
    throw new AppError("invalid_encoding", `${file} is not valid UTF-8.`);
  }
}

function parseJsonFile(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError(
      "invalid_json",
      `${file} is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : "it cannot be parsed"}.`,
    );
  }
}
