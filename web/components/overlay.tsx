import { cloneElement, type ComponentProps, type ComponentType, type KeyboardEvent, type ReactElement, useRef, useState } from "react";
import type { ButtonProps } from "./button.tsx";
import type { ConfirmProps, DialogProps, Openable, SheetProps } from "./dialogs.tsx";
import type { MenuItem } from "./menu-popup.tsx";
import { lazily, PartFailed } from "./lazily.tsx";
import { useOpener } from "./opener.ts";

export type { Openable, Opened } from "./dialogs.tsx";
export type { MenuItem } from "./menu-popup.tsx";

/** Where a dialog would be: an overlay has no place of its own in the page. */
const asDialog = (_: object, retry: () => void) => (
  <PartFailed
    onRetry={retry}
    className="fixed top-[max(1rem,12vh)] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-md -translate-x-1/2 shadow-overlay"
  />
);

/**
 * An overlay that is loaded when it first opens. Without the property `open` it is open. `preload` loads it earlier: the button that opens
 * it calls it on hover and focus (`opens`).
 */
export function onceOpen<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  type Given = Props & Pick<Openable, "finalFocus">;
  const Loaded = lazily<Given>(load as () => Promise<ComponentType<Given>>, { failed: asDialog });
  function Opening(props: Props & { open?: boolean }) {
    const isOpen = props.open !== false;
    const [wasOpen, setWasOpen] = useState(isOpen);
    const finalFocus = useOpener(isOpen);
    if (isOpen && !wasOpen) setWasOpen(true);
    return wasOpen && <Loaded {...props} finalFocus={finalFocus} />;
  }
  return Object.assign(Opening, { preload: Loaded.preload });
}

const loadDialogs = () => import("./dialogs.tsx");

/** The same for a component that shows a dialog, whose frame is loaded with it, not after it. */
export const dialogOnceOpen = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  onceOpen<Props>(async () => (await Promise.all([load(), loadDialogs()]))[0]);

export const Dialog = onceOpen<DialogProps>(() => loadDialogs().then((loaded) => loaded.DialogPopup));

/** A side panel; full screen on a phone. */
export const Sheet = onceOpen<SheetProps>(() => loadDialogs().then((loaded) => loaded.SheetPopup));

/** A confirmation dialog: closes on success, stays open on failure. */
export const ConfirmDialog = onceOpen<ConfirmProps>(() => loadDialogs().then((loaded) => loaded.ConfirmPopup));

/**
 * A dialog about a subject: `ask` opens it. The subject stays while the dialog closes. Use `opening` as the dialog's key, so that each
 * opening starts with fresh state.
 */
export function useAsked<Subject>() {
  const [{ asked, opening }, setAsked] = useState<{ asked: Subject | null; opening: number }>({ asked: null, opening: 0 });
  const [open, setOpen] = useState(false);
  const ask = (subject: Subject) => {
    setAsked({ asked: subject, opening: opening + 1 });
    setOpen(true);
  };
  return { asked, opening, ask, opened: { open, onOpenChange: setOpen } };
}

interface ConfirmButtonProps extends Omit<ConfirmProps, keyof Openable> {
  trigger: ReactElement<ButtonProps>;
}

/** A button whose action needs confirmation. */
export function ConfirmButton({ trigger, ...dialog }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {cloneElement(trigger, { opens: ConfirmDialog, onClick: () => setOpen(true) })}
      <ConfirmDialog {...dialog} open={isOpen} onOpenChange={setOpen} />
    </>
  );
}

interface MenuProps {
  trigger: ReactElement<ComponentProps<"button">>;
  items: MenuItem[];
  align?: "start" | "end";
}

const MenuPopup = lazily(() => import("./menu-popup.tsx").then((loaded) => loaded.MenuPopup), { failed: asDialog });

/** A button with a menu; the menu is loaded on hover or focus. */
export function Menu({ trigger, items, align = "end" }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [wasOpen, setWasOpen] = useState(false);
  const open = () => {
    setWasOpen(true);
    setOpen(true);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open();
  };
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        "aria-haspopup": "menu",
        "aria-expanded": isOpen,
        onPointerEnter: MenuPopup.preload,
        onFocus: MenuPopup.preload,
        onClick: () => (isOpen ? setOpen(false) : open()),
        onKeyDown,
      })}
      {wasOpen && <MenuPopup anchor={button} items={items} align={align} isOpen={isOpen} onOpenChange={setOpen} />}
    </>
  );
}

/** A tooltip on hover and keyboard focus (providers.tsx). */
export const Tooltip = ({ content, children }: { content: string; children: ReactElement<{ "data-hint"?: string }> }) =>
  cloneElement(children, { "data-hint": content });
