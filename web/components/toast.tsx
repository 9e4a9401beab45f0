import { createContext, type ReactNode, useCallback, useContext, useEffect, useState } from "react";
import { Button } from "./button.tsx";
import { lazily } from "./lazily.tsx";
import { Notice } from "./surface.tsx";
import type * as Host from "./toast-host.tsx";
import type { Toast } from "./toast-host.tsx";

let host: typeof Host | undefined;
const ToastHost = lazily(async () => (host = await import("./toast-host.tsx")).ToastHost, {
  failed: (props) => <PlainToasts {...props} />,
});

/** The toasts of a page that could not load their own code, where they cover no action bar. */
const PlainToasts = ({ toasts, onShown }: { toasts: readonly Toast[]; onShown(): void }) =>
  toasts.length > 0 && (
    <div className="fixed right-4 bottom-28 z-50 flex w-[calc(100vw-2rem)] flex-col gap-2 sm:top-4 sm:bottom-auto sm:w-90">
      {toasts.map(({ title, description, tone = "good" }, at) => (
        <Notice key={at} role="alert" tone={tone} title={title} className="shadow-overlay">
          {description}
        </Notice>
      ))}
      <Button size="sm" onClick={onShown}>
        Dismiss
      </Button>
    </div>
  );

/** Before a connection is lost, since its loss has to be told. */
export const preloadToasts = ToastHost.preload;

const Context = createContext<(toast: Toast) => void>(() => {});

/** Shows a toast for some seconds; errors stay until closed, or until `endFailure`. */
export const useToast = (): ((toast: Toast) => void) => useContext(Context);

/** Closes the error with this title: its action has succeeded since. */
export function endFailure(title: string): void {
  forget(title);
  host?.closeFailure(title);
}

let forget = (_title: string): void => {};

export function ToastProvider({ children }: { children: ReactNode }) {
  const [isWanted, setWanted] = useState(false);
  const [waiting, setWaiting] = useState<readonly Toast[]>([]);
  const add = useCallback((toast: Toast) => {
    ToastHost.preload();
    setWanted(true);
    setWaiting((before) => [...before, toast]);
  }, []);
  const clear = useCallback(() => setWaiting([]), []);
  useEffect(() => {
    forget = (title) => setWaiting((before) => before.filter((toast) => toast.tone !== "bad" || toast.title !== title));
  }, []);
  return (
    <Context value={add}>
      {children}
      {isWanted && <ToastHost toasts={waiting} onShown={clear} />}
    </Context>
  );
}
