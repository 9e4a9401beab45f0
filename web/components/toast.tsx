import dynamic from "next/dynamic";
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";
import type { Toast } from "./toast-host.tsx";

/** Loaded with the first toast. */
const ToastHost = dynamic(() => import("./toast-host.tsx").then((loaded) => loaded.ToastHost), { ssr: false });

const Context = createContext<(toast: Toast) => void>(() => {});

/** Shows a toast for some seconds; errors stay until closed. */
export const useToast = (): ((toast: Toast) => void) => useContext(Context);

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
