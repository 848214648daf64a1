/** A second server, as one that other machines reach: on every address, with a token, under a name of its own. */
import { startConsoleServer } from "./console-server";

const port = Number(process.env.E2E_TOKEN_PORT ?? 4398);

export const TOKEN = "e2e-token-0123456789abcdef";
/** Not this machine's name, and plain http: browsers keep back what they give to secure pages only. */
export const NAMED_HOST = "console.test";
export const NAMED_URL = `http://${NAMED_HOST}:${port}`;
/** The same server for programs of this machine, which cannot look that name up. */
export const OWN_URL = `http://127.0.0.1:${port}`;

/** Resolves when the server answers, with what ends it. */
export async function startTokenServer(): Promise<() => Promise<void>> {
  const { stop } = await startConsoleServer({
    port,
    env: {
      HOST: "0.0.0.0",
      SWITCHYARD_TOKEN: TOKEN,
      SWITCHYARD_URL: NAMED_URL,
      // Refused sign-ins are what these tests make.
      LOG_LEVEL: "error",
    },
  });
  return stop;
}
