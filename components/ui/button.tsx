"use client";

import { LoaderCircle } from "lucide-react";
import Link from "next/link";
import { type ComponentProps, type MouseEvent, type ReactNode, useId } from "react";
import { classNames } from "./class-names";
import { Tooltip } from "./tooltip";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "sm" | "md";

const VARIANTS = {
  primary: "bg-accent text-accent-ink not-aria-disabled:hover:bg-accent-hover",
  secondary: "border border-line-strong bg-surface text-ink not-aria-disabled:hover:bg-hover",
  ghost: "text-ink-soft not-aria-disabled:hover:bg-hover not-aria-disabled:hover:text-ink",
  danger: "bg-danger text-danger-ink not-aria-disabled:hover:bg-danger-hover",
} as const satisfies Record<ButtonVariant, string>;

const SIZES = {
  sm: "h-7 gap-1.5 px-2.5 text-xs touch:h-9",
  md: "h-9 gap-2 px-3.5 text-sm touch:h-11",
} as const satisfies Record<ButtonSize, string>;

export function buttonClass(variant: ButtonVariant, size: ButtonSize, className?: string): string {
  return classNames(
    "inline-flex shrink-0 select-none items-center justify-center whitespace-nowrap rounded-md font-medium transition-colors aria-disabled:opacity-60",
    VARIANTS[variant],
    SIZES[size],
    className,
  );
}

export interface ButtonProps extends Omit<ComponentProps<"button">, "disabled"> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
  /** Why it cannot be pressed now. It stays focusable, and says the reason to everyone. */
  disabledReason?: string | null | undefined;
  /** In flight: not pressable, with a turning mark in the icon's place. */
  pending?: boolean;
}

export function Button({
  variant = "secondary",
  size = "md",
  icon,
  disabledReason,
  pending = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  const reasonId = useId();
  const refused = Boolean(disabledReason);
  const blocked = refused || pending;
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // preventDefault also stops a submit button from sending its form.
    if (blocked) event.preventDefault();
    else onClick?.(event);
  };
  const button = (
    <button
      {...rest}
      // Biome cannot see through the variable; both values of ButtonProps["type"] are valid.
      type={type}
      aria-disabled={blocked || undefined}
      aria-busy={pending || undefined}
      aria-describedby={refused ? reasonId : rest["aria-describedby"]}
      className={buttonClass(variant, size, className)}
      onClick={press}
    >
      {pending ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
      {refused && (
        <span id={reasonId} hidden>
          {disabledReason}
        </span>
      )}
    </button>
  );
  return refused ? <Tooltip content={disabledReason}>{button}</Tooltip> : button;
}

export interface IconButtonProps extends Omit<ButtonProps, "children" | "icon" | "aria-label"> {
  /** The accessible name, and the tooltip. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, size = "md", variant = "ghost", className, ...rest }: IconButtonProps) {
  const button = (
    <Button
      {...rest}
      variant={variant}
      size={size}
      icon={icon}
      aria-label={label}
      className={classNames(size === "md" ? "w-9 px-0! touch:w-11" : "w-7 px-0! touch:w-9", className)}
    />
  );
  return rest.disabledReason ? button : <Tooltip content={label}>{button}</Tooltip>;
}

interface ButtonLinkProps extends ComponentProps<typeof Link> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: ReactNode;
}

export function ButtonLink({ variant = "secondary", size = "md", icon, className, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass(variant, size, className)}>
      {icon}
      {children}
    </Link>
  );
}
