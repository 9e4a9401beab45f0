import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { Search } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "./classes.ts";
import type { Openable } from "./overlay.tsx";
import { Kbd } from "./surface.tsx";

interface SearchPopupProps extends Openable {
  label: string;
  placeholder: string;
  text: string;
  setText(text: string): void;
  /** Ranked results; the popup does not filter. */
  items: readonly unknown[];
  className: string;
  /** The result list. */
  children: ReactNode;
}

/** A search field in an overlay, with its results below. */
export const SearchPopup = ({
  open,
  onOpenChange,
  finalFocus,
  label,
  placeholder,
  text,
  setText,
  items,
  className,
  children,
}: SearchPopupProps) => (
  <Dialog.Root
    open={open}
    onOpenChange={(isOpen) => {
      onOpenChange(isOpen);
      // Otherwise the next search would be appended to this one.
      if (!isOpen) setText("");
    }}
  >
    <Dialog.Portal>
      <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_18/0.35)]" />
      <Dialog.Popup
        finalFocus={finalFocus}
        aria-label={label}
        className={cx(
          "fixed top-[max(1rem,10vh)] left-1/2 z-50 w-[calc(100vw-2rem)] -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-overlay shadow-overlay outline-none",
          className,
        )}
      >
        <Autocomplete.Root
          open
          inline
          autoHighlight="always"
          keepHighlight
          items={items}
          filter={null}
          value={text}
          onValueChange={setText}
        >
          <div className="flex items-center gap-2.5 border-b border-line px-4">
            <Search className="size-4 shrink-0 text-quiet" />
            <Autocomplete.Input
              autoFocus
              aria-label={label}
              placeholder={placeholder}
              className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm"
            />
            <span className="max-sm:hidden">
              <Kbd>Esc</Kbd>
            </span>
          </div>
          {children}
        </Autocomplete.Root>
      </Dialog.Popup>
    </Dialog.Portal>
  </Dialog.Root>
);

export const FoundItem = ({ className, ...rest }: ComponentProps<typeof Autocomplete.Item>) => (
  <Autocomplete.Item
    {...rest}
    // Options are never selected; the highlighted one, which Enter opens, is announced as selected.
    render={(props, { highlighted }) => <div {...props} aria-selected={highlighted} />}
    className={cx("cursor-default rounded-lg text-sm select-none data-highlighted:bg-veil", className as string)}
  />
);
