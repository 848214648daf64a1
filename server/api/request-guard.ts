import { AppError } from "@/server/shared/app-error";
import { isLoopback } from "@/server/shared/loopback.rules";

/** Bodies beyond this are refused before they are read: 20 MiB of text, escaped as JSON, fits. */
export const MAX_BODY_BYTES = 48 * 1024 * 1024;

/**
 * Refuses requests that do not come for this server from its own pages: a foreign Host (DNS rebinding), a foreign Origin or a
 * cross-site fetch (another site in the operator's browser). Programs send neither Origin nor Sec-Fetch-Site.
 *
 * Its own are this machine's names, and the origin that the operator named (`SWITCHYARD_URL`). A proxy may rewrite the Host to a
 * name of this machine; the Origin of the named pages is its own then too.
 */
export function guardRequest(headers: Headers, namedOrigin: string | undefined): void {
  const host = headers.get("host") ?? "";
  const name = hostName(host);
  const named = namedOrigin === undefined ? undefined : new URL(namedOrigin);
  if (!isLoopback(name) && name !== named?.hostname) {
    throw new AppError(
      "foreign_host",
      `The Host header "${host.slice(0, 100)}" is not this server; open it as ${namedOrigin ?? "http://127.0.0.1 with its port"}.`,
    );
  }
  const origin = headers.get("origin")?.toLowerCase();
  const isOwnOrigin = origin === namedOrigin || (isLoopback(name) && origin === `http://${host.toLowerCase()}`);
  if (origin !== undefined && !isOwnOrigin) {
    throw new AppError(
      "foreign_origin",
      `Requests from ${origin.slice(0, 100)} are refused; only this server's own pages may call it.`,
    );
  }
  const site = headers.get("sec-fetch-site");
  if (site === "cross-site" && headers.get("sec-fetch-mode") !== "navigate") {
    throw new AppError("foreign_origin", "Requests from other sites are refused; only this server's own pages may call it.");
  }
}

/** The name in a Host header as addresses spell it: lower case, IPv6 shortened and in brackets. */
function hostName(host: string): string {
  const name = host.replace(/:\d+$/, "").toLowerCase();
  return name.startsWith("[") && URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name;
}

/** The whole body as bytes; throws `too_large` as soon as more than `limit` have come. */
export async function readBody(request: Request, limit: number = MAX_BODY_BYTES): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = () => new AppError("too_large", `The body is larger than ${Math.floor(limit / 1024 / 1024)} MiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (request.body) {
    for await (const piece of request.body as unknown as AsyncIterable<Uint8Array>) {
      size += piece.byteLength;
      if (size > limit) throw tooLarge();
      pieces.push(piece);
    }
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** The body as JSON: fatal UTF-8, one sentence for each way it can be wrong. */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new AppError("unsupported_media_type", `Send the body as application/json, not "${type.slice(0, 60)}".`);
  }
  const text = decodeBody(await readBody(request));
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError(
      "invalid_json",
      `The body is not valid JSON: ${error instanceof Error ? error.message.slice(0, 200) : "it cannot be parsed"}.`,
    );
  }
}

export function decodeBody(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("invalid_encoding", "The body is not valid UTF-8.");
  }
}
