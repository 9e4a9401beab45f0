import type { ComponentType } from "react";
import { Button } from "./button.tsx";
import { lazily } from "./lazily.tsx";
import type { Select as LoadedSelect } from "./select.tsx";
import { Skeleton } from "./surface.tsx";

/** A control that is loaded beside the page instead of before it: selects and comboboxes take 57 kB, times 20 kB. */
export const besidePage = <Props extends object>(load: () => Promise<ComponentType<Props>>) =>
  lazily(load, {
    waiting: <Skeleton className="h-8 rounded-lg max-sm:h-9" />,
    failed: (props, retry) => (
      <>
        <Button
          aria-label={(props as { "aria-label"?: string })["aria-label"]}
          data-hint="Check your connection. If the service was updated since you opened this page, reload it."
          onClick={retry}
        >
          Try again
        </Button>
        <span role="status" className="sr-only">
          Could not be loaded
        </span>
      </>
    ),
  });

export const Combobox = besidePage(() => import("./combobox.tsx").then((loaded) => loaded.Combobox));
export const InstantInput = besidePage(() => import("./instant-input.tsx").then((loaded) => loaded.InstantInput));
export const LanguagePicker = besidePage(() => import("./language-picker.tsx").then((loaded) => loaded.LanguagePicker));
export const Select = besidePage(() => import("./select.tsx").then((loaded) => loaded.Select)) as typeof LoadedSelect;
