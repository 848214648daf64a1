/** The server without its pages, as a process of its own: what the fault tests start, stop, freeze and kill. */
import { startServer } from "@/server/boot";

// The argument: milliseconds that turns in flight may take after SIGTERM.
await startServer(Number(process.argv[2]));
// Nothing else keeps this process: the executor's timer does.
process.stdout.write("ready\n");
