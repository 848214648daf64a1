/** Keys to press one after the other, such as ["g", "r"]. */
export function KeyHint({ keys }: { keys: readonly string[] }) {
  return (
    <span className="inline-flex gap-1">
      {keys.map((key) => (
        <kbd
          key={key}
          className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line bg-sunken px-1 font-mono text-2xs text-ink-soft"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
