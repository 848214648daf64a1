import type { ReactNode } from "react";

interface FactProps {
  label: string;
  title?: string | undefined;
  children: ReactNode;
}

export function Fact({ label, title, children }: FactProps) {
  return (
    <div className="min-w-0" title={title}>
      <dt className="text-ink-faint text-xs">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  );
}
