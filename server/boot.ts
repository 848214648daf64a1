/**
 * The process's one container. Instrumentation, route handlers and pages are separate module instances in one process, so it
 * lives on globalThis; whoever comes first builds it.
 */
import { type Container, createContainer } from "./container";

const KEY = Symbol.for("switchyard.container");
/** How long turns in flight may finish at a shutdown before they are released. */
const GRACE_MS = 8_000;
/** After the grace everything should be written within this; else the disk is in the way, and the operator must decide. */
const WRITING_MS = 2_000;

type Holder = typeof globalThis & { [KEY]?: Promise<Container> };

export function processContainer(): Promise<Container> {
  const holder = globalThis as Holder;
  holder[KEY] ??= createContainer();
  return holder[KEY];
}

/** Called once when the server starts: builds, runs the executor, and owns the shutdown. */
export async function startServer(graceMs: number = GRACE_MS): Promise<void> {
  const container = await processContainer().catch((error) => {
    process.stderr.write(`Switchyard cannot start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
  container.executor.start();
  container.agentExecutor.start();
  container.batchWorker.start();
  container.prober.start();
  let state: "serving" | "stopping" | "stuck" = "serving";
  const stop = (signal: NodeJS.Signals) => {
    // Not exit(): the writing thread waits inside the database, and ending it there aborts with a dump.
    if (state === "stuck") process.kill(process.pid, "SIGKILL");
    if (state !== "serving") return;
    state = "stopping";
    container.logger.info({ signal }, "shutting down");
    setTimeout(() => {
      state = "stuck";
      container.logger.error(
        { reason: container.writer.trouble ?? "The database has not taken them yet." },
        "answers wait to be written, and the shutdown waits for them; another signal ends the process and loses them",
      );
    }, graceMs + WRITING_MS).unref();
    void container.close(graceMs).then(
      () => process.exit(0),
      (error) => {
        container.logger.error({ error }, "the shutdown failed");
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}
