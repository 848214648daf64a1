"use client";

import { Tooltip as Base } from "@base-ui/react/tooltip";
import type { ReactElement, ReactNode } from "react";

interface TooltipProps {
  content: ReactNode;
  side?: "top" | "bottom" | "left" | "right";
  /** One focusable element. A tooltip repeats or explains; nothing may be readable only here. */
  children: ReactElement<Record<string, unknown>>;
}

export function Tooltip({ content, side = "top", children }: TooltipProps) {
  return (
    <Base.Root>
      <Base.Trigger delay={350} render={children} />
      <Base.Portal>
        <Base.Positioner side={side} sideOffset={6} className="z-50">
          <Base.Popup className="max-w-80 rounded-md bg-ink px-2.5 py-1.5 text-xs text-canvas shadow-raised">
            {content}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
