"use client";

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, TRPCClientError } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { observable } from "@trpc/server/observable";
import type { ReactNode } from "react";
import { english } from "@/components/i18n/english/dictionary";
import { I18nProvider } from "@/components/i18n/i18n-provider";
import type { AppRouter } from "@/server/api/root";
import type { ErrorCode } from "@/server/shared/error-codes.rules";
import { LiveProvider } from "./live-provider";
import { TRPCProvider } from "./trpc-client";

type Inputs = inferRouterInputs<AppRouter>;
type Outputs = inferRouterOutputs<AppRouter>;

/** What the server answers, by procedure; one that is not listed fails as if the server did not answer. */
export type FakeAnswers = {
  [Router in keyof Outputs as Exclude<Router, "live">]?: {
    [Procedure in keyof Outputs[Router]]?: (
      // A mapped type over both records; each has the same keys.
      input: Procedure extends keyof Inputs[Router & keyof Inputs] ? Inputs[Router & keyof Inputs][Procedure] : never,
    ) => Outputs[Router][Procedure] | Promise<Outputs[Router][Procedure]>;
  };
};

/** An error as the API sends it. */
export class FakeApiError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | null;

  constructor(code: ErrorCode, message: string, details: Record<string, unknown> | null = null) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

export interface FakeStream {
  isOpen: boolean;
  /** Sends a change as the live stream does; only after the stream was opened. */
  send: (message: { id: string; data: unknown }) => void;
}

function createFakeClient(answers: FakeAnswers, stream: FakeStream) {
  return createTRPCClient<AppRouter>({
    links: [
      () =>
        ({ op }) =>
          observable((observer) => {
            if (op.type === "subscription") {
              observer.next({ result: { type: "state", state: "pending", error: null } });
              stream.isOpen = true;
              stream.send = (message) => observer.next({ result: { type: "data", data: message } });
              return () => {
                stream.isOpen = false;
              };
            }
            const [router = "", procedure = ""] = op.path.split(".");
            // The path names one of the typed answers; its input was typed by the caller.
            const table = answers as Record<string, Record<string, ((input: unknown) => unknown) | undefined> | undefined>;
            const answer = table[router]?.[procedure];
            if (answer === undefined) {
              observer.error(TRPCClientError.from(new Error(`no answer for ${op.path}`)));
              return undefined;
            }
            Promise.resolve()
              .then(() => answer(op.input))
              .then(
                (data) => {
                  observer.next({ result: { type: "data", data } });
                  observer.complete();
                },
                (error: unknown) => {
                  const shape =
                    error instanceof FakeApiError
                      ? { error: { code: -32600, message: error.message, data: { appCode: error.code, details: error.details } } }
                      : error;
                  // TRPCClientError.from knows the shape of an error response and plain errors.
                  observer.error(TRPCClientError.from(shape as Error));
                },
              );
            return undefined;
          }),
    ],
  });
}

/** A server made of answers, its live stream, and a cache of its own. */
export function createFakeServer(answers: FakeAnswers) {
  const stream: FakeStream = {
    isOpen: false,
    send: () => {
      throw new Error("the live stream is not open");
    },
  };
  return {
    stream,
    client: createFakeClient(answers, stream),
    queryClient: new QueryClient({ defaultOptions: { queries: { retry: false } } }),
  };
}

interface FakeConsoleProps {
  server: ReturnType<typeof createFakeServer>;
  children: ReactNode;
}

/** The providers of the console over a fake server; only tests import it. English, times in UTC. */
export function FakeConsole({ server, children }: FakeConsoleProps) {
  return (
    <I18nProvider initialLocale="en" initialDictionary={english} initialZone="utc">
      <QueryClientProvider client={server.queryClient}>
        <TRPCProvider trpcClient={server.client} queryClient={server.queryClient}>
          <LiveProvider>{children}</LiveProvider>
        </TRPCProvider>
      </QueryClientProvider>
    </I18nProvider>
  );
}
