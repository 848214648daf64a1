import { type ReactNode, useId } from "react";
import { classNames } from "./class-names";

interface PanelProps {
  title: ReactNode;
  /** One quiet line beside the title. */
  hint?: ReactNode;
  actions?: ReactNode;
  /** Without inner space, for tables that go to the edge. */
  flush?: boolean;
  className?: string;
  children: ReactNode;
}

/** A region of a page, named by its title. */
export function Panel({ title, hint, actions, flush = false, className, children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      aria-labelledby={titleId}
      className={classNames("min-w-0 rounded-lg border border-line bg-surface shadow-panel", className)}
    >
      <header className="flex min-h-11 flex-wrap items-center gap-x-3 gap-y-1 border-line border-b px-4 py-2">
        <h2 id={titleId} className="font-semibold text-ink text-sm">
          {title}
        </h2>
        {hint && <p className="text-ink-faint text-xs">{hint}</p>}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      <div className={flush ? "" : "p-4"}>{children}</div>
    </section>
  );
}
