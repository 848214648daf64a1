// `npm start`: install, generate, build what is stale, then serve in this very process.
import { createServer } from "node:http";
import { ensureBuilt, ensureGenerated, ensureInstalled, fail, root } from "./setup.mjs";

const host = process.env.HOST?.trim() || "127.0.0.1";
if (!["127.0.0.1", "localhost", "::1"].includes(host)) {
  fail(
    `HOST=${host} is refused: Switchyard has no sign-in yet, so it listens on this machine only. Leave HOST out, or put a proxy that asks for a password in front of it.`,
  );
}
const port = Number(process.env.PORT?.trim() || 4310);
if (!Number.isInteger(port) || port < 1 || port > 65_535) fail(`PORT=${process.env.PORT} is not a port number; use 1 to 65535.`);

ensureInstalled();
ensureGenerated();
ensureBuilt();

await new Promise((resolve) => {
  const probe = createServer();
  probe.once("error", (error) =>
    fail(
      error.code === "EADDRINUSE"
        ? `Port ${port} is in use; is Switchyard running already? Set PORT to another one.`
        : `Port ${port} cannot be used: ${error.message}.`,
    ),
  );
  probe.listen(port, host, () => probe.close(resolve));
});

process.chdir(root);
Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
delete process.env.NEXT_DIST_DIR;
const { default: next } = await import("next");
const app = next({ dev: false, dir: root, hostname: host, port });
await app.prepare();
const handle = app.getRequestHandler();
const server = createServer((request, response) => {
  // Next answers an address that cannot be decoded with 500 and no word of ours.
  if (isDecodable(request.url ?? "")) handle(request, response);
  else {
    const error = { code: "invalid_input", message: "The address holds a broken % sequence." };
    response.writeHead(400, { "content-type": "application/json", "cache-control": "no-store" }).end(JSON.stringify({ error }));
  }
});
server.listen(port, host, () => console.log(`Switchyard: http://${host === "::1" ? "[::1]" : host}:${port}`));

function isDecodable(url) {
  try {
    decodeURIComponent(url.split("?", 1)[0]);
    return true;
  } catch {
    return false;
  }
}
