"use client";

import { Popover as Base } from "@base-ui/react/popover";
import type { ReactNode } from "react";

interface PopoverProps {
  /** Accessible name of the trigger; its content may be a mere "+2". */
  label: string;
  trigger: ReactNode;
  triggerClassName: string;
  title: ReactNode;
  children: ReactNode;
}

/** More about something, on a press: reachable by keyboard and finger, which a tooltip is not. */
export function Popover({ label, trigger, triggerClassName, title, children }: PopoverProps) {
  return (
    <Base.Root>
      <Base.Trigger aria-label={label} title={label} className={triggerClassName}>
        {trigger}
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner align="start" sideOffset={4} collisionPadding={8} className="z-50">
          <Base.Popup className="max-h-(--available-height) max-w-[min(24rem,calc(100vw-1rem))] overflow-y-auto rounded-lg border border-line bg-surface p-3 shadow-raised outline-none">
            <Base.Title className="mb-2 font-medium text-sm">{title}</Base.Title>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
