"use client";

import { Menu as MenuIcon, Search } from "lucide-react";
import { type ReactNode, useState } from "react";
import { IconButton } from "../components/button.tsx";
import { cx } from "../components/classes.ts";
import { Sheet } from "../components/overlay.tsx";
import { Badge } from "../components/surface.tsx";
import { Palette, usePalette } from "./palette.tsx";
import { SideBar, type SideBarProps } from "./side-bar.tsx";

type FrameProps = Omit<SideBarProps, "onSearch"> & { children: ReactNode };

/** The frame of a project's screens: navigation, and the current environment. */
export function Frame(props: FrameProps) {
  const { environment, children } = props;
  const [isOpen, setOpen] = useState(false);
  const palette = usePalette();
  const isLive = environment === "live";
  return (
    <div className="min-h-dvh">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-accent-fill px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to the content
      </a>
      {/* The rail shows the environment at all times, before any data has loaded. */}
      <div aria-hidden className={cx("fixed inset-x-0 top-0 z-30 h-1", isLive ? "bg-live-rail" : "bg-sandbox-rail")} />
      <aside
        className={cx(
          "fixed inset-y-0 left-0 z-20 hidden w-60 flex-col border-r pt-1 lg:flex",
          isLive ? "border-live-line bg-live-ground" : "border-line bg-raised",
        )}
      >
        <SideBar {...props} onSearch={palette.open} />
      </aside>
      <header
        className={cx(
          "sticky top-0 z-20 flex h-13 items-center gap-1 border-b px-2 pt-1 lg:hidden",
          isLive ? "border-live-line bg-live-ground" : "border-line bg-paper",
        )}
      >
        <IconButton label="Navigation" icon={<MenuIcon aria-hidden />} onClick={() => setOpen(true)} />
        <span className="min-w-0 flex-1 truncate font-medium">{props.project.name}</span>
        <Badge tone={isLive ? "live" : "sandbox"} className={cx(isLive && "bg-live-rail text-on-live")}>
          {isLive ? "Live" : "Sandbox"}
        </Badge>
        <IconButton label="Search" icon={<Search aria-hidden />} onClick={palette.open} />
      </header>
      <Sheet side="left" open={isOpen} onOpenChange={setOpen} title="Navigation" className={cx(isLive && "bg-live-ground")}>
        <div className="-mx-5 -my-4 flex h-[calc(100%+2rem)] flex-col" onClick={(event) => isLink(event.target) && setOpen(false)}>
          <SideBar {...props} onSearch={palette.open} />
        </div>
      </Sheet>
      <main id="content" tabIndex={-1} className="outline-none lg:pt-1 lg:pl-60">
        {children}
      </main>
      <Palette {...palette} />
    </div>
  );
}

const isLink = (target: EventTarget) => target instanceof Element && target.closest("a[href]") !== null;
