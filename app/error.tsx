"use client";

import { PageBroken } from "@/components/shell/page-problem";

interface ErrorPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

export default function ErrorPage({ error, reset }: ErrorPageProps) {
  return (
    <main>
      <PageBroken digest={error.digest} onRetry={reset} />
    </main>
  );
}
