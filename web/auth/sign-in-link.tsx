import type { ReactNode } from "react";
import { buttonClasses } from "../components/button.tsx";

/** Signs in in a popup, since only windows opened by script can close themselves. Where popups are blocked, it opens a tab. */
export const SignInLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <a
    href={href}
    target="_blank"
    rel="opener"
    className={buttonClasses({ variant: "primary" })}
    onClick={(event) => open(href, "engagement-sign-in", "popup,width=520,height=720") && event.preventDefault()}
  >
    {children}
  </a>
);
