import { Menu as BaseMenu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import Link from "next/link";
import { type ReactNode, type RefObject, useRef } from "react";
import { cx, OPTION, POPUP } from "./classes.ts";
import { nearestControl, withAncestors } from "./opener.ts";

export interface MenuItem {
  label: ReactNode;
  icon?: ReactNode;
  /** A description, or why it is disabled. */
  hint?: ReactNode;
  href?: string;
  onSelect?(): void;
  isDanger?: boolean;
  disabled?: boolean;
  /** Marks the current one of several. */
  isChosen?: boolean;
  /** Starts a new group. */
  isApart?: boolean;
}

interface MenuPopupProps {
  /** The trigger, which gets the focus back. */
  anchor: RefObject<HTMLButtonElement | null>;
  items: MenuItem[];
  align: "start" | "end";
  isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

export function MenuPopup({ anchor, items, align, isOpen, onOpenChange }: MenuPopupProps) {
  /** The chosen action. It runs after the focus has returned, since the return would take the focus from a dialog that the action opens. */
  const chosen = useRef<() => void>(undefined);
  return (
    <BaseMenu.Root
      modal={false}
      open={isOpen}
      onOpenChangeComplete={(isNowOpen) => {
        if (isNowOpen) return;
        const act = chosen.current;
        chosen.current = undefined;
        if (act === undefined) return;
        const around = withAncestors(anchor.current);
        act();
        // The action may have removed the trigger, such as that of a condition: the keyboard would begin again at the top of the page.
        // Base UI calls this in `flushSync`, so the page has changed by the next microtask.
        queueMicrotask(() => document.activeElement === document.body && nearestControl(around)?.focus());
      }}
      onOpenChange={(next, { event, cancel }) => {
        // The trigger toggles the menu itself; a press on it must not also count as outside.
        if (!next && event.target instanceof Node && anchor.current?.contains(event.target) && event.type !== "keydown") return cancel();
        onOpenChange(next);
      }}
    >
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={anchor} sideOffset={6} align={align} className="z-50 outline-none">
          <BaseMenu.Popup
            finalFocus={anchor}
            // Base UI knows no trigger here: the menu would stay open, with the focus on an invisible element.
            onKeyDown={(event) => {
              if (event.key !== "Tab") return;
              event.preventDefault();
              onOpenChange(false);
            }}
            className={cx(POPUP, "max-h-(--available-height) max-w-[min(20rem,var(--available-width))] min-w-44 overflow-y-auto")}
          >
            {items.map((item, at) => (
              <MenuRow key={at} {...item} onSelect={() => (chosen.current = item.onSelect)} />
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

function MenuRow({ label, icon, hint, href, onSelect, isDanger, isChosen, disabled, isApart }: MenuItem) {
  const content = (
    <>
      {icon}
      <span className="min-w-0 flex-1">
        <span className={cx("block truncate", disabled && "opacity-50")}>{label}</span>
        {hint && <span className="block max-w-72 text-xs text-quiet wrap-anywhere">{hint}</span>}
      </span>
      {isChosen && (
        <>
          <Check />
          <span className="sr-only">, chosen</span>
        </>
      )}
    </>
  );
  // A disabled item is dimmed without its hint, which says why.
  const className = cx(
    OPTION,
    isDanger && "text-bad [&_svg]:text-bad",
    hint && "data-disabled:opacity-100 data-disabled:[&_svg]:opacity-50",
  );
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
