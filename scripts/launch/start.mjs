// `npm start`: install, generate, build what is stale, then serve in this very process.
import { createServer } from "node:http";
import { ensureBuilt, ensureGenerated, ensureInstalled, fail, root } from "./setup.mjs";

ensureInstalled();
const { host, port, address } = await checkedAddress();
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
  // For the limit of wrong tokens; whatever the client sent under this name is gone.
  request.headers["x-switchyard-peer"] = request.socket.remoteAddress ?? "";
  // Next answers an address that cannot be decoded with 500 and no word of ours.
  if (isDecodable(request.url ?? "")) handle(request, response);
  else {
    const error = { code: "invalid_input", message: "The address holds a broken % sequence." };
    response.writeHead(400, { "content-type": "application/json", "cache-control": "no-store" }).end(JSON.stringify({ error }));
  }
});
// Longer than a proxy or a program keeps an idle connection: one that we close first resets the request that is just being sent.
server.keepAliveTimeout = 75_000;
server.listen(port, host, () => console.log(`Switchyard: ${address}`));

/** The server's own checks, before anything is built. They are written in TypeScript, once; the loader is gone again before Next comes. */
async function checkedAddress() {
  const { register } = await import("tsx/cjs/api");
  const loader = register({ namespace: "start" });
  try {
    const { loadEnv } = loader.require("../../server/env.ts", import.meta.url);
    const env = loadEnv({ ...process.env, NODE_ENV: "production" });
    if (env.PORT === 0) fail("PORT=0 is no port that can be opened in a browser; use 1 to 65535.");
    const name = env.HOST.includes(":") ? `[${env.HOST}]` : env.HOST;
    return { host: env.HOST, port: env.PORT, address: env.SWITCHYARD_URL ?? `http://${name}:${env.PORT}` };
  } catch (error) {
    return fail(error.message);
  } finally {
    loader.unregister();
  }
}

function isDecodable(url) {
  try {
    decodeURIComponent(url.split("?", 1)[0]);
    return true;
  } catch {
    return false;
  }
}
