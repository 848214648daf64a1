/**
 * What stands between one app-server and its provider: Codex knows an address on loopback and a password of this process, and the
 * key is put into its requests here. So no key is in the child's environment, where whatever it starts without a sandbox could
 * read it, and none that the provider repeats in an answer reaches the files in which Codex keeps its sessions.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { type Dispatcher, EnvHttpProxyAgent } from "undici";
import type { Secret } from "@/server/shared/secret";
import { createEchoFilter } from "./echo-filter";

export interface KeyRelay {
  /** What Codex is given as the provider's address. */
  baseUrl: string;
  /** What Codex is given as the key; of no use to anybody once the relay is closed. */
  password: string;
  /** Text that names the relay, naming the provider instead, which is the address that people know; without its password. */
  readable(text: string): string;
  /** Ends every request that is under way. May be called twice. */
  close(): void;
}

/** Headers of one connection; and the encodings, since what is compressed cannot be read. */
const NOT_PASSED_ON = new Set([
  "host",
  "authorization",
  "connection",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "accept-encoding",
]);

/** Listens on a free port of loopback. Throws the system's error when there is none. */
export async function startKeyRelay(
  provider: { baseUrl: string; key: Secret },
  environment: Readonly<Record<string, string>>,
): Promise<KeyRelay> {
  const target = new URL(provider.baseUrl);
  const basePath = target.pathname.replace(/\/+$/, "");
  const password = randomBytes(32).toString("hex");
  const dispatcher = await dispatcherFor(environment);
  const server = http.createServer({ requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
    const wanted = request.url ?? "/";
    if (!isPassword(request.headers.authorization, password)) refuse(response, 401, "This is not an address for others.");
    else if (!wanted.startsWith(`${basePath}/`))
      refuse(response, 404, "Nothing but the provider's own address is reached from here.");
    else void passOn({ origin: target.origin, path: wanted, key: provider.key, dispatcher }, request, response);
  });
  // Broken requests are the child's; the answer that Node would give them says nothing of use.
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // It lives as long as its app-server does, and keeps nothing alive by itself.
  server.unref();
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  return {
    baseUrl: `${origin}${basePath}`,
    password,
    readable: (text) => text.replaceAll(origin, target.origin).replaceAll(password, "[password of the relay]"),
    close() {
      server.close();
      server.closeAllConnections();
      void dispatcher.destroy();
    },
  };
}

function isPassword(header: string | undefined, password: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(header ?? ""), digest(`Bearer ${password}`));
}

function refuse(response: http.ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message } }));
}

interface Way {
  origin: string;
  path: string;
  key: Secret;
  dispatcher: Dispatcher;
}

/** One request, with its answer as it comes. What breaks on the one side is broken off on the other: Codex says what it means. */
async function passOn(
  { origin, path, key, dispatcher }: Way,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  try {
    const answer = await dispatcher.request({
      origin,
      path,
      method: request.method as Dispatcher.HttpMethod,
      headers: { ...passedOn(request.headers), authorization: `Bearer ${key.expose()}`, "accept-encoding": "identity" },
      body: request,
      signal: gone.signal,
      // How long is too long is watched over where turns are.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    if (answer.statusCode >= 300 && answer.statusCode < 400) {
      answer.body.destroy();
      // Followed, it would lead past this relay; and the key goes to the one address that was named.
      const message = `it answered ${answer.statusCode}, a redirect, which is not followed; make the base URL the address it leads to`;
      refuse(response, 404, message);
      return;
    }
    const { "content-length": _length, ...headers } = passedOn(answer.headers);
    response.writeHead(answer.statusCode, headers);
    // An answer that has begun and says nothing yet is another thing than none.
    response.flushHeaders();
    const filter = createEchoFilter(key);
    for await (const piece of answer.body) {
      if (!response.write(filter.push(piece as Buffer))) await once(response, "drain", { signal: gone.signal });
    }
    response.end(filter.end());
  } catch (error) {
    // Cut in the middle, or called off: so it is here. Codex's own words for an address where nobody is would not say why.
    if (response.headersSent || gone.signal.aborted) response.destroy();
    else refuse(response, 502, `the provider cannot be reached (${causeOf(error)})`);
  }
}

/** The system's word for it; never a message, which may hold bytes of an answer. */
function causeOf(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "the connection failed";
}

function passedOn(headers: Record<string, string | string[] | undefined>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined || NOT_PASSED_ON.has(name) ? [] : [[name, value]])),
  );
}

/** The ways out that the child's variables name are this relay's: proxies, and the certificates that are trusted. */
async function dispatcherFor(environment: Readonly<Record<string, string>>): Promise<Dispatcher> {
  const of = (name: string) => environment[name.toLowerCase()] ?? environment[name];
  const ca = await certificates(environment);
  const tls = ca.length === 0 ? {} : { ca };
  return new EnvHttpProxyAgent({
    httpProxy: of("HTTP_PROXY") ?? "",
    httpsProxy: of("HTTPS_PROXY") ?? "",
    noProxy: of("NO_PROXY") ?? "",
    connect: tls,
    requestTls: tls,
    pipelining: 1,
  });
}

/** What SSL_CERT_FILE and SSL_CERT_DIR hold; empty: the usual ones. What cannot be read is left to the first connection to miss. */
async function certificates({ SSL_CERT_FILE: file, SSL_CERT_DIR: folder }: Readonly<Record<string, string>>): Promise<string[]> {
  const inFolder = folder === undefined ? [] : await readdir(folder).catch(() => []);
  const files = [...(file === undefined ? [] : [file]), ...inFolder.map((name) => path.join(folder ?? "", name))];
  const texts = await Promise.all(files.map((each) => readFile(each, "utf8").catch(() => "")));
  return texts.filter((text) => text.includes("BEGIN CERTIFICATE"));
}
