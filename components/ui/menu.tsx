"use client";

import { Menu as Base } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { Fragment, type ReactNode, useId, useState } from "react";
import { buttonClass } from "./button";
import { classNames } from "./class-names";

export interface MenuAction {
  key: string;
  label: string;
  icon?: ReactNode;
  danger?: boolean;
  /** Why it cannot be chosen now; shown under the label. */
  disabledReason?: string | null | undefined;
  /** A line above it. */
  separated?: boolean;
  /** For a choice of one: whether it is the present one. */
  checked?: boolean;
  onSelect: () => void;
}

interface MenuProps {
  /** Accessible name of the trigger. */
  label: string;
  /** What the trigger shows. */
  trigger: ReactNode;
  triggerClassName?: string;
  actions: readonly MenuAction[];
}

const TRIGGER = buttonClass("ghost", "sm", "w-7 px-0! touch:w-9");
const ITEM =
  "grid w-full cursor-default grid-cols-[1rem_1fr] items-start gap-2.5 rounded-md px-2.5 py-1.5 text-left outline-none data-highlighted:bg-hover touch:py-2.5";

/** Until it is opened for the first time it is only its button: a long list of closed menus costs nothing. */
export function Menu(props: MenuProps) {
  const [wanted, setWanted] = useState(false);
  if (wanted) return <OpenedMenu {...props} />;
  return (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={false}
      aria-label={props.label}
      title={props.label}
      className={props.triggerClassName ?? TRIGGER}
      onClick={() => setWanted(true)}
      onKeyDown={(event) => {
        if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
        event.preventDefault();
        setWanted(true);
      }}
    >
      {props.trigger}
    </button>
  );
}

function OpenedMenu({ label, trigger, triggerClassName, actions }: MenuProps) {
  return (
    <Base.Root defaultOpen>
      <Base.Trigger aria-label={label} title={label} className={triggerClassName ?? TRIGGER}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="end" sideOffset={4} className="z-50">
          <Base.Popup className="min-w-48 max-w-72 rounded-lg border border-line bg-surface p-1 shadow-raised outline-none">
            {actions.map((action) => (
              <Fragment key={action.key}>
                {action.separated && <Base.Separator className="mx-2 my-1 h-px bg-line" />}
                <MenuRow action={action} />
              </Fragment>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function MenuRow({ action }: { action: MenuAction }) {
  const reasonId = useId();
  const refused = Boolean(action.disabledReason);
  return (
    <Base.Item
      disabled={refused}
      aria-describedby={refused ? reasonId : undefined}
      aria-current={action.checked === true ? "true" : undefined}
      onClick={action.onSelect}
      className={classNames(ITEM, action.danger && !refused && "tone-danger text-tone", refused && "cursor-not-allowed")}
    >
      <span className="mt-0.5 flex size-4 items-center justify-center">
        {action.checked ? <Check aria-hidden className="size-4" /> : action.icon}
      </span>
      <span className="min-w-0">
        <span className={refused ? "text-ink-faint" : ""}>{action.label}</span>
        {refused && (
          <span id={reasonId} className="block text-ink-faint text-xs">
            {action.disabledReason}
          </span>
        )}
      </span>
    </Base.Item>
  );
}
