"use client";

import { LoaderCircle } from "lucide-react";
import Link from "next/link";
import type { ComponentProps, MouseEvent, ReactNode } from "react";
import { cx } from "./classes.ts";
import { Navigating, PageLink } from "./page-link.tsx";

interface Look {
  variant?: "primary" | "secondary" | "ghost" | "danger";
  size?: "sm" | "md";
  icon?: ReactNode;
}

export interface ButtonProps extends Look, ComponentProps<"button"> {
  /** Tooltip (providers.tsx). */
  "data-hint"?: string;
  /** The dialog that it opens, loaded on hover or focus. */
  opens?: { preload(): void };
  /** Shows a spinner and ignores presses. */
  isPending?: boolean;
  /** Ignores presses and keeps the focus, which `disabled` takes away from a button that its own press disables. */
  isBlocked?: boolean;
}

const BASE =
  "inline-flex shrink-0 items-center justify-center gap-1.5 rounded-lg border font-medium whitespace-nowrap select-none transition-colors disabled:opacity-50 disabled:cursor-not-allowed aria-disabled:opacity-50 aria-disabled:cursor-not-allowed [&_svg]:size-4 [&_svg]:shrink-0";
const VARIANTS = {
  primary: "border-transparent bg-accent-fill text-on-accent shadow-control not-disabled:hover:bg-accent-fill-strong",
  secondary: "border-line-strong bg-paper text-ink shadow-control not-disabled:hover:bg-raised",
  ghost: "border-transparent text-quiet not-disabled:hover:bg-sunken not-disabled:hover:text-ink",
  danger: "border-transparent bg-bad-fill text-on-accent shadow-control not-disabled:hover:brightness-95",
};
const SIZES = { sm: "h-7 px-2 text-[0.8125rem]", md: "h-8 px-3 text-sm" };

export const buttonClasses = ({ variant = "secondary", size = "md" }: Look): string => cx(BASE, VARIANTS[variant], SIZES[size]);

const BLOCKED = { "aria-disabled": true, onClick: (press: MouseEvent) => press.preventDefault() };

export function Button({ variant, size, icon, opens, isPending, isBlocked, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      onPointerEnter={opens?.preload}
      onFocus={opens?.preload}
      {...rest}
      {...((isPending || isBlocked) && BLOCKED)}
      aria-busy={isPending}
      className={cx(buttonClasses({ variant, size }), className)}
    >
      {isPending ? <LoaderCircle className="animate-spin" /> : icon}
      {children}
    </button>
  );
}

export const LinkButton = ({ variant, size, icon, className, children, ...rest }: Look & ComponentProps<typeof PageLink>) => (
  <PageLink {...rest} className={cx(buttonClasses({ variant, size }), className)}>
    {icon}
    {children}
  </PageLink>
);

/** A link from a notice or a card to a page. */
export const SmallLink = (props: ComponentProps<typeof LinkButton>) => <LinkButton size="sm" {...props} />;

/** A link from a card to the full page or list. */
export const MoreLink = (props: ComponentProps<typeof LinkButton>) => <LinkButton size="sm" variant="ghost" className="-mr-2" {...props} />;

/** A name linked to its page; not prefetched, since a list has many. */
export const TextLink = ({ className, children, ...rest }: ComponentProps<typeof Link>) => (
  <Link prefetch={false} {...rest} className={cx("rounded font-medium wrap-anywhere hover:underline", className)}>
    {children}
    <Navigating />
  </Link>
);

export interface IconButtonProps extends Omit<ButtonProps, "children"> {
  /** Accessible name, also shown as a tooltip unless `data-hint` is shorter. */
  label: string;
}

export const IconButton = ({ label, variant = "ghost", size = "md", className, ...rest }: IconButtonProps) => (
  <Button
    data-hint={label}
    {...rest}
    variant={variant}
    size={size}
    aria-label={label}
    className={cx("px-0", size === "sm" ? "w-7" : "w-8", className)}
  />
);
