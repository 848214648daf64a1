"use client";

import { useState } from "react";
import { paths } from "@/components/paths";
import { noteSignedIn } from "@/components/trpc/session-state";

/** Why one is not in yet. */
export type SignInProblem =
  | { kind: "missing" }
  | { kind: "wrong" }
  /** `until` is in epoch milliseconds; null when only the page before knew it. */
  | { kind: "tooMany"; until: number | null }
  | { kind: "network" }
  /** Anything else, in the server's words. */
  | { kind: "refused"; message: string };

/** Gateways in front of a server that is away answer for it. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);
const SHORTEST_WAIT_S = 1;

/** Sends the token. `onSignedIn` gets the path that the server leads on to. */
export function useSignIn(first: SignInProblem | null, onSignedIn: (next: string) => void) {
  const [problem, setProblem] = useState(first);
  const [phase, setPhase] = useState<"entering" | "sending" | "leaving">("entering");

  const send = async (form: URLSearchParams): Promise<SignInProblem | null> => {
    const response = await fetch(paths.api.signIn(), {
      method: "POST",
      headers: { accept: "application/json" },
      body: form,
    }).catch(() => null);
    if (response === null || AWAY.has(response.status)) return { kind: "network" };
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) {
      setPhase("leaving");
      noteSignedIn();
      onSignedIn(textOf(body, "next") ?? paths.home());
      return null;
    }
    if (response.status === 401) return { kind: "wrong" };
    if (response.status === 429) {
      const seconds = Number(response.headers.get("retry-after") ?? SHORTEST_WAIT_S);
      return { kind: "tooMany", until: Date.now() + seconds * 1_000 };
    }
    const error = typeof body === "object" && body !== null && "error" in body ? body.error : null;
    return { kind: "refused", message: textOf(error, "message") ?? response.statusText };
  };

  return {
    problem,
    /** Also while the next page opens. */
    isBusy: phase !== "entering",
    /** Resolves with whether it was refused. */
    async signIn(token: string, next: string): Promise<boolean> {
      if (phase !== "entering") return false;
      if (token.trim() === "") {
        setProblem({ kind: "missing" });
        return true;
      }
      setPhase("sending");
      setProblem(null);
      const refusal = await send(new URLSearchParams({ token, next }));
      if (refusal === null) return false;
      setProblem(refusal);
      setPhase("entering");
      return true;
    },
  };
}

function textOf(body: unknown, name: string): string | null {
  // The only shape that is asked of it is checked in the same breath.
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : null;
  return typeof value === "string" ? value : null;
}
