import type { ReactNode } from "react";

interface FactProps {
  label: string;
  children: ReactNode;
  title?: string | undefined;
}

export function Fact({ label, children, title }: FactProps) {
  return (
    <div className="min-w-0" title={title}>
      <dt className="text-ink-faint text-xs">{label}</dt>
      <dd className="break-words tabular-nums">{children}</dd>
    </div>
  );
}
