"use client";

import { AlertDialog as BaseAlertDialog } from "@base-ui/react/alert-dialog";
import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { Menu as BaseMenu } from "@base-ui/react/menu";
import { Tooltip as BaseTooltip } from "@base-ui/react/tooltip";
import { X } from "lucide-react";
import Link from "next/link";
import { type ReactElement, type ReactNode, useState } from "react";
import { Button, IconButton } from "./button.tsx";
import { cx } from "./classes.ts";

const BACKDROP =
  "fixed inset-0 z-40 bg-[rgb(10_12_18/0.45)] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0";
const PANEL = "z-50 flex flex-col border border-line bg-overlay text-ink shadow-overlay outline-none";
const CENTRED = cx(
  PANEL,
  "fixed top-[max(1rem,12vh)] left-1/2 max-h-[calc(100dvh-2rem-12vh)] w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 rounded-xl transition-[opacity,scale] duration-150 data-ending-style:scale-98 data-ending-style:opacity-0 data-starting-style:scale-98 data-starting-style:opacity-0",
);

interface Openable {
  open: boolean;
  onOpenChange(open: boolean): void;
}

interface DialogProps extends Openable {
  title: ReactNode;
  description?: ReactNode;
  /** Its buttons, at the end. */
  footer?: ReactNode;
  className?: string;
  children?: ReactNode;
}

export function Dialog({ open, onOpenChange, title, description, footer, className, children }: DialogProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={BACKDROP} />
        <BaseDialog.Popup className={cx(CENTRED, className)}>
          <header className="flex items-start gap-3 px-5 pt-4">
            <div className="min-w-0 flex-1">
              <BaseDialog.Title className="text-base font-semibold wrap-anywhere">{title}</BaseDialog.Title>
              {description && <BaseDialog.Description className="mt-1 text-quiet">{description}</BaseDialog.Description>}
            </div>
            <BaseDialog.Close render={<IconButton label="Close" icon={<X aria-hidden />} size="sm" className="-mr-1.5" />} />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface SheetProps extends DialogProps {
  /** Beside the title. */
  actions?: ReactNode;
}

/** A panel at the side of the page; all of it on a phone. */
export function Sheet({ open, onOpenChange, title, description, actions, footer, className, children }: SheetProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className={BACKDROP} />
        <BaseDialog.Popup
          className={cx(
            PANEL,
            "fixed inset-y-0 right-0 w-full max-w-xl border-y-0 border-r-0 transition-transform duration-200 data-ending-style:translate-x-full data-starting-style:translate-x-full",
            className,
          )}
        >
          <header className="flex items-start gap-3 border-b border-line px-5 py-3">
            <div className="min-w-0 flex-1">
              <BaseDialog.Title className="text-base font-semibold wrap-anywhere">{title}</BaseDialog.Title>
              {description && <BaseDialog.Description className="text-quiet">{description}</BaseDialog.Description>}
            </div>
            {actions}
            <BaseDialog.Close render={<IconButton label="Close" icon={<X aria-hidden />} size="sm" className="-mr-1.5" />} />
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 py-4">{children}</div>
          {footer && <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">{footer}</footer>}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

interface ConfirmProps extends Openable {
  title: ReactNode;
  confirmLabel: string;
  isDanger?: boolean;
  isPending?: boolean;
  /** Not yet: something has to be typed or chosen first. */
  isDisabled?: boolean;
  onConfirm(): unknown;
  children?: ReactNode;
}

/** Asks before something is done; closes once it is, and stays where that failed. */
export function ConfirmDialog({
  open,
  onOpenChange,
  title,
  confirmLabel,
  isDanger,
  isPending,
  isDisabled,
  onConfirm,
  children,
}: ConfirmProps) {
  const [isWorking, setWorking] = useState(false);
  const confirm = async () => {
    setWorking(true);
    try {
      await onConfirm();
      onOpenChange(false);
    } catch {
      // Who called has said what failed.
    } finally {
      setWorking(false);
    }
  };
  return (
    <BaseAlertDialog.Root open={open} onOpenChange={onOpenChange}>
      <BaseAlertDialog.Portal>
        <BaseAlertDialog.Backdrop className={BACKDROP} />
        <BaseAlertDialog.Popup className={cx(CENTRED, "max-w-md")}>
          <BaseAlertDialog.Title className="px-5 pt-4 text-base font-semibold wrap-anywhere">{title}</BaseAlertDialog.Title>
          <BaseAlertDialog.Description render={<div />} className="min-h-0 overflow-y-auto px-5 pt-2 pb-4 text-quiet">
            {children}
          </BaseAlertDialog.Description>
          <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">
            <BaseAlertDialog.Close render={<Button>Cancel</Button>} />
            <Button
              variant={isDanger ? "danger" : "primary"}
              isPending={isPending || isWorking}
              disabled={isDisabled}
              onClick={() => void confirm()}
            >
              {confirmLabel}
            </Button>
          </footer>
        </BaseAlertDialog.Popup>
      </BaseAlertDialog.Portal>
    </BaseAlertDialog.Root>
  );
}

export interface MenuItem {
  label: ReactNode;
  icon?: ReactNode;
  /** Says more, or why it cannot be chosen. */
  hint?: ReactNode;
  href?: string;
  onSelect?(): void;
  isDanger?: boolean;
  disabled?: boolean;
  /** Begins a new group. */
  isApart?: boolean;
}

export const POPUP =
  "z-50 max-w-[var(--available-width)] rounded-lg border border-line bg-overlay p-1 text-ink shadow-overlay outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0";
export const OPTION =
  "flex w-full cursor-default items-center gap-2 rounded-md px-2 py-1.5 text-sm outline-none select-none data-disabled:opacity-50 data-highlighted:bg-sunken [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet";

interface MenuProps {
  /** A button. */
  trigger: ReactElement;
  items: MenuItem[];
  align?: "start" | "center" | "end";
}

export function Menu({ trigger, items, align = "end" }: MenuProps) {
  return (
    <BaseMenu.Root modal={false}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={6} align={align} className="z-50 outline-none">
          <BaseMenu.Popup className={cx(POPUP, "min-w-44")}>
            {items.map((item, at) => (
              <MenuRow key={at} {...item} />
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function MenuRow({ label, icon, hint, href, onSelect, isDanger, disabled, isApart }: MenuItem) {
  const content = (
    <>
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block truncate">{label}</span>
        {hint && <span className="block max-w-72 text-xs text-quiet">{hint}</span>}
      </span>
    </>
  );
  const className = cx(OPTION, isDanger && "text-bad [&_svg]:text-bad");
  return (
    <>
      {isApart && <BaseMenu.Separator className="mx-1 my-1 h-px bg-line" />}
      {href && !disabled ? (
        <BaseMenu.LinkItem render={<Link href={href} />} className={className} closeOnClick>
          {content}
        </BaseMenu.LinkItem>
      ) : (
        <BaseMenu.Item disabled={disabled} onClick={onSelect} className={className}>
          {content}
        </BaseMenu.Item>
      )}
    </>
  );
}

/** Words for who points at something or reaches it by keyboard. `children` is one element that takes a ref. */
export function Tooltip({ content, children }: { content: ReactNode; children: ReactElement }) {
  return (
    <BaseTooltip.Root>
      <BaseTooltip.Trigger render={children} />
      <BaseTooltip.Portal>
        <BaseTooltip.Positioner sideOffset={6} className="z-50">
          <BaseTooltip.Popup className="max-w-72 rounded-md border border-line bg-overlay px-2 py-1 text-xs text-ink shadow-overlay">
            {content}
          </BaseTooltip.Popup>
        </BaseTooltip.Positioner>
      </BaseTooltip.Portal>
    </BaseTooltip.Root>
  );
}
