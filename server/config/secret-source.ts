/** The only reader of secret values: variables through server/env, mounted files through the file system; nothing is kept. */
import { Buffer } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from "node:fs";
import path from "node:path";
import { readSecretVariable, secretsFolder } from "@/server/env";
import { standsIn } from "./secrets-folder";

/** A key is far smaller; what is larger is not a key but the wrong file. */
export const MAX_SECRET_BYTES = 64 * 1024;

/** `problem`: why there is no text, as the end of a sentence. */
export type SourceReading =
  | { state: "read"; text: string }
  | { state: "missing" | "unreadable" | "malformed" | "outside"; problem: string };

/** Where values come from; tests bring their own. Both read anew at each call. */
export interface SecretReaders {
  /** The value as it stands, untrimmed; undefined = not set. */
  variable(name: string): string | undefined;
  /** The text of a file, untrimmed. When the path is a folder, of the file in it that is named like `key`. */
  file(file: string, key: string): SourceReading;
}

export const usualReaders: SecretReaders = {
  variable: readSecretVariable,
  file: (file, key) => readSecretFile(file, key, secretsFolder()),
};

const OUTSIDE: SourceReading = { state: "outside", problem: "only files in the folder of SWITCHYARD_SECRETS_DIR are read" };

/**
 * Links are followed: a Kubernetes projection is a folder of links into a dated folder. Devices and pipes are never opened, for
 * opening one can wait for ever or have effects of its own. `within`: the folder that the file must stand in, wherever links lead.
 */
export function readSecretFile(file: string, key: string, within: string | null = null): SourceReading {
  try {
    if (within !== null && !standsIn(within, file)) return OUTSIDE;
    const target = statSync(file).isDirectory() ? path.join(file, key) : file;
    if (within !== null && !standsIn(within, target)) return OUTSIDE;
    if (!statSync(target).isFile()) return { state: "unreadable", problem: "it is not a regular file" };
    const bytes = readRegularFile(target);
    if (!bytes) return { state: "unreadable", problem: "it is not a regular file" };
    if (bytes.length > MAX_SECRET_BYTES) return { state: "unreadable", problem: "the file is larger than 64 KiB" };
    return { state: "read", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    return unreadBecause(error, file, key);
  }
}

/** At most one byte more than a secret may have; null when the path has become something else since it was looked at. */
function readRegularFile(target: string): Buffer | null {
  const handle = openSync(target, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    if (!fstatSync(handle).isFile()) return null;
    const bytes = Buffer.alloc(MAX_SECRET_BYTES + 1);
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}

function unreadBecause(error: unknown, file: string, key: string): SourceReading {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  switch (code) {
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return { state: "malformed", problem: "the file is not UTF-8 text" };
    case "ENOTDIR":
      return { state: "missing", problem: "there is no such file" };
    case "ENOENT":
      return { state: "missing", problem: isFolder(file) ? `the folder holds no file named ${key}` : "there is no such file" };
    case "EACCES":
    case "EPERM":
      return { state: "unreadable", problem: "this process may not read the file" };
    default:
      return { state: "unreadable", problem: `the system refuses to read it (${String(code ?? "unknown")})` };
  }
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
