import dynamic from "next/dynamic";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import type * as Host from "./toast-host.tsx";
import type { Toast } from "./toast-host.tsx";

/** Loaded with the first toast. */
let host: typeof Host | undefined;
const ToastHost = dynamic(async () => (host = await import("./toast-host.tsx")).ToastHost, { ssr: false });

const Context = createContext<(toast: Toast) => void>(() => {});

/** Shows a toast for some seconds; errors stay until closed, or until `endFailure`. */
export const useToast = (): ((toast: Toast) => void) => useContext(Context);

/** Closes the error with this title: its action has succeeded since. */
export const endFailure = (title: string): void => host?.closeFailure(title);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [isWanted, setWanted] = useState(false);
  const [waiting, setWaiting] = useState<readonly Toast[]>([]);
  const add = useCallback((toast: Toast) => {
    setWanted(true);
    setWaiting((before) => [...before, toast]);
  }, []);
  const clear = useCallback(() => setWaiting([]), []);
  return (
    <Context value={add}>
      {children}
      {isWanted && <ToastHost toasts={waiting} onShown={clear} />}
    </Context>
  );
}
