import pino from "pino";
import { isAppError } from "./app-error";

export type Logger = pino.Logger;

/** JSON lines on stderr: stdout belongs to what a command prints. `redact` passes every text before it is written. */
export function createLogger(level: string, redact: (text: string) => string): Logger {
  const destination = {
    write(line: string) {
      process.stderr.write(redact(line));
    },
  };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: {
        error: (error: unknown) =>
          error instanceof Error
            ? {
                message: error.message,
                ...(isAppError(error) ? { code: error.code } : {}),
                stack: error.stack,
                ...(error.cause instanceof Error ? { cause: error.cause.message } : {}),
              }
            : { message: String(error) },
      },
    },
    destination,
  );
}
