import { Toast as BaseToast } from "@base-ui/react/toast";
import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

export interface Toast {
  title: string;
  description?: string;
  tone?: "good" | "bad" | "info";
  /** An action, such as undo. */
  action?: { label: string; onSelect(): void };
}

const manager = BaseToast.createToastManager();

/** Shows toasts; `take` returns those that were queued before it was mounted. */
export function ToastHost({ toasts, onShown }: { toasts: readonly Toast[]; onShown(): void }) {
  const [lift, setLift] = useState(0);
  useEffect(() => {
    if (toasts.length === 0) return;
    setLift(heightOfActions());
    // React may run this twice for the same toasts.
    for (const toast of toasts) if (!shown.has(toast)) show(toast);
    onShown();
  }, [toasts, onShown]);
  return (
    <BaseToast.Provider toastManager={manager}>
      <BaseToast.Portal>
        <BaseToast.Viewport
          style={{ marginBottom: lift }}
          className="fixed right-4 bottom-4 z-50 flex w-[calc(100vw-2rem)] flex-col gap-2 sm:w-90"
        >
          <Toasts />
        </BaseToast.Viewport>
      </BaseToast.Portal>
    </BaseToast.Provider>
  );
}

const shown = new WeakSet<Toast>();

/** How far toasts reach up from the bottom of the window, in pixels. */
const REACH = 240;

/** The height reserved for an action bar: toasts never cover it. */
function heightOfActions(): number {
  const bar = document.querySelector("[data-action-bar]")?.getBoundingClientRect();
  return bar !== undefined && bar.top < innerHeight && bar.bottom > innerHeight - REACH ? innerHeight - bar.top : 0;
}

/** The same toast again is announced again, but shown once; so is an action that fails again, for whatever reason. */
const idOf = ({ tone = "good", title, description }: Toast): string => JSON.stringify([tone, title, tone === "bad" || description]);

export const closeFailure = (title: string): void => manager.close(idOf({ tone: "bad", title }));

function show(toast: Toast): void {
  shown.add(toast);
  const { title, description, tone = "good", action } = toast;
  let isTaken = false;
  const id = manager.add({
    id: idOf(toast),
    title,
    description,
    type: tone,
    timeout: tone === "bad" ? 0 : action ? 10_000 : 5_000,
    priority: tone === "bad" ? "high" : "low",
    actionProps: action && {
      children: action.label,
      onClick: () => {
        // While the toast closes, a second press must not do it again.
        if (isTaken) return;
        isTaken = true;
        manager.close(id);
        action.onSelect();
      },
    },
  });
}

const SIGNS = {
  good: <CircleCheck className="text-good" />,
  bad: <CircleAlert className="text-bad" />,
  info: <Info className="text-accent" />,
};

function Toasts() {
  const { toasts } = BaseToast.useToastManager();
  return toasts.map((toast) => (
    <BaseToast.Root
      key={toast.id}
      toast={toast}
      swipeDirection="right"
      className="rounded-lg border border-line bg-overlay shadow-overlay transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
    >
      <BaseToast.Content className="flex items-start gap-2.5 py-2.5 pr-2 pl-3 [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
        {SIGNS[(toast.type ?? "info") as keyof typeof SIGNS]}
        <div className="min-w-0 flex-1 wrap-anywhere">
          <BaseToast.Title className="text-sm font-medium" />
          <BaseToast.Description className="text-[0.8125rem] whitespace-pre-line text-quiet" />
        </div>
        <BaseToast.Action render={<Button size="sm" />} />
        <BaseToast.Close
          aria-label="Dismiss"
          className="flex size-7 shrink-0 items-center justify-center rounded-md text-faint hover:bg-sunken hover:text-ink"
        >
          <X className="size-4" />
        </BaseToast.Close>
      </BaseToast.Content>
    </BaseToast.Root>
  ));
}
