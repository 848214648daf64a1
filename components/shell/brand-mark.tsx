/** Two tracks and the switch between them. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" fill="none" className={className}>
      <rect width="32" height="32" rx="7" fill="var(--accent)" />
      <path d="M8 22h16M8 22c7 0 8-12 16-12" stroke="var(--accent-ink)" strokeWidth="2.6" strokeLinecap="round" />
      <circle cx="8" cy="22" r="2.6" fill="var(--accent-ink)" />
    </svg>
  );
}
