"use client";

import { PageBroken } from "@/components/shell/page-problem";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** A broken page inside the frame: the rest of the console stays. */
export default function ConsoleErrorPage({ error, reset }: ErrorPageProps) {
  return <PageBroken digest={error.digest} onRetry={reset} />;
}
