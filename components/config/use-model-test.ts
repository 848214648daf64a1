"use client";

import { useMutation } from "@tanstack/react-query";
import { useTRPCClient } from "@/components/trpc/trpc-client";
import { useConfig } from "./config-state";

/** One tiny real call on the document as it is on screen, saved or not. */
export function useModelTest(target: { scene: string } | { reference: string }) {
  const client = useTRPCClient();
  const { choice } = useConfig();
  const mutation = useMutation({ mutationFn: () => client.config.test.mutate({ ...target, ...choice }) });
  return {
    run: () => mutation.mutate(),
    isPending: mutation.isPending,
    result: mutation.data,
    error: mutation.error,
    reset: mutation.reset,
  };
}
