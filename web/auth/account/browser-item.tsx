import { Laptop, Smartphone } from "lucide-react";
import type { ReactNode } from "react";
import { browserInWords, isPhone } from "./browsers.ts";

interface BrowserItemProps {
  userAgent: string | null;
  address: string | null;
  badge?: ReactNode;
  /** When it was used. */
  children: ReactNode;
  action?: ReactNode;
}

/** A browser in a list: its name, address, last use and actions. */
export function BrowserItem({ userAgent, address, badge, children, action }: BrowserItemProps) {
  const Icon = isPhone(userAgent) ? Smartphone : Laptop;
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <Icon className="size-4 shrink-0 text-quiet" />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <span className="truncate font-medium">{browserInWords(userAgent)}</span>
          {badge}
        </div>
        <div className="truncate text-xs text-quiet">
          {address !== null && `${address} · `}
          {children}
        </div>
      </div>
      {action}
    </li>
  );
}
