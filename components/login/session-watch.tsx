"use client";

import { useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { isSignedOut, subscribeSession } from "@/components/trpc/session-state";

/** Rarely seen; it need not come with every page. */
const SessionEnded = dynamic(() => import("./session-ended").then((module) => module.SessionEnded), { ssr: false });

/** When the session ends under an open page, the page stays, with what was entered in it, and asks for the token. */
export function SessionWatch() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const signedOut = useSyncExternalStore(subscribeSession, isSignedOut, () => false);
  // The session is outside React. Once it goes on, everything that was refused or missed is read again.
  useEffect(
    () =>
      subscribeSession(() => {
        if (isSignedOut()) return;
        void queryClient.invalidateQueries();
        router.refresh();
      }),
    [queryClient, router],
  );
  return signedOut ? <SessionEnded /> : null;
}
