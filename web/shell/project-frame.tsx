"use client";

import { instantInWords } from "../../server/model/kernel/dates.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams, usePathname } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Clock, Menu as MenuIcon, Search } from "lucide-react";
import Link from "next/link";
import { type Answers, orpc, useWhere, WhereProvider } from "../client/service.tsx";
import type { EnvironmentKind } from "../../server/model/kernel/environment.ts";
import { rememberEnvironment } from "./last-environment.ts";
import { IconButton } from "../components/button.tsx";
import { cx } from "../components/classes.ts";
import { dialogOnceOpen, onceOpen, Sheet } from "../components/overlay.tsx";
import { Badge } from "../components/surface.tsx";
import { SideBar, type SideBarProps } from "./side-bar.tsx";
import { useKeys } from "./use-keys.ts";
import { lengthInWords } from "../components/relative.ts";

type ProjectPlace = Answers["projects"]["place"];

interface ProjectFrameProps {
  email: string;
  projects: { slug: string; name: string }[];
  /** As the layout was rendered, which links do not do again. */
  place: ProjectPlace;
  /** The last place in this project. */
  lastEnvironment: EnvironmentKind;
  children: ReactNode;
}

/** Project-wide screens keep the environment that the user came from. */
export function ProjectFrame({ email, projects, place: rendered, lastEnvironment, children }: ProjectFrameProps) {
  const place = usePlace(rendered);
  const named = useParams<{ environment?: string }>().environment;
  const [environment, setEnvironment] = useState(lastEnvironment);
  if ((named === "live" || named === "sandbox") && named !== environment) setEnvironment(named);
  const { project, now } = place;
  useEffect(() => rememberEnvironment({ project, environment }), [project, environment]);
  return (
    <WhereProvider
      place={{
        ...place,
        environment,
        role: place.roles[named === undefined ? "sandbox" : environment],
        now: now[environment],
        clockAheadMs: Date.parse(now[environment]) - Date.parse(now.live),
      }}
    >
      <Frame email={email} projects={projects}>
        {named !== undefined && <ClockNotice />}
        {children}
      </Frame>
    </WhereProvider>
  );
}

const EVERY_MS = 60_000;

/** Time, rights, and requests that wait: a dashboard stays open for days, and other members change them meanwhile. */
function usePlace(rendered: ProjectPlace): ProjectPlace {
  const query = orpc.projects.place.queryOptions({ input: { project: rendered.project } });
  const { data: read } = useQuery({ ...query, initialData: rendered, refetchInterval: EVERY_MS });
  return Date.parse(read.now.live) > Date.parse(rendered.now.live) ? read : rendered;
}

type FrameProps = Omit<SideBarProps, "onSearch"> & { children: ReactNode };

/** The frame of a project's screens: navigation, and the current environment. */
function Frame(props: FrameProps) {
  const { project, projectName, environment } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const palette = usePalette();
  const [isHelping, setHelping] = useState(false);
  const help = useCallback(() => setHelping(true), []);
  useKeys({ project, environment, search: palette.open, help });
  const content = useFocusAfterNavigation();
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
        <IconButton label="Navigation" icon={<MenuIcon />} onClick={() => setOpen(true)} />
        <span className="min-w-0 flex-1 truncate font-medium">{projectName}</span>
        <Badge tone={isLive ? "live" : "sandbox"} className={cx(isLive && "bg-live-rail text-on-live")}>
          {isLive ? "Live" : "Sandbox"}
        </Badge>
        <IconButton label="Search" icon={<Search />} onClick={palette.open} />
      </header>
      <Sheet side="left" open={isOpen} onOpenChange={setOpen} title="Navigation" className={cx(isLive && "bg-live-ground")}>
        <div className="-mx-5 -my-4 flex h-[calc(100%+2rem)] flex-col" onClick={(event) => isLink(event.target) && setOpen(false)}>
          <SideBar {...props} onSearch={palette.open} />
        </div>
      </Sheet>
      <main ref={content} id="content" tabIndex={-1} className="outline-none lg:pt-1 lg:pl-60">
        {props.children}
      </main>
      <PaletteDialog open={palette.isOpen} onOpenChange={palette.setOpen} onHelp={help} />
      <KeyHelp open={isHelping} onOpenChange={setHelping} />
    </div>
  );
}

/** The content takes the focus if a navigation removes the control that has it, such as a row's link or a dialog's button. */
function useFocusAfterNavigation() {
  const content = useRef<HTMLElement>(null);
  const path = usePathname();
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else if (document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [path]);
  return content;
}

const isLink = (target: EventTarget) => target instanceof Element && target.closest("a[href]") !== null;

const KeyHelp = dialogOnceOpen(() => import("./key-help.tsx").then((loaded) => loaded.KeyHelp));
const PaletteDialog = onceOpen(() => import("./palette-dialog.tsx").then((loaded) => loaded.PaletteDialog));

/** ⌘K or Ctrl+K anywhere. */
function usePalette() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setOpen((was) => !was);
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  const open = useCallback(() => setOpen(true), []);
  return { isOpen, setOpen, open };
}

/** Banner of a Sandbox whose clock is ahead: its time, and which clock applies to what. */
function ClockNotice() {
  const { environment, isClockMoved, clockAheadMs, now, timeZone, href } = useWhere();
  const [shown, setShown] = useState(now);
  useEffect(() => {
    const tell = () => setShown(new Date(Date.now() + clockAheadMs).toISOString());
    tell();
    const timer = setInterval(tell, 10_000);
    return () => clearInterval(timer);
  }, [clockAheadMs]);
  if (environment !== "sandbox" || !isClockMoved) return null;
  return (
    <aside aria-label="Sandbox clock" className="flex gap-2 bg-sandbox-soft px-4 py-1.5 text-[0.8125rem] sm:px-6 lg:px-8">
      <Clock className="mt-0.75 size-3.5 shrink-0 text-sandbox" />
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-2 gap-y-0.5">
        <span>
          It is{" "}
          <time className="font-medium tabular-nums" suppressHydrationWarning>
            {instantInWords(shown, timeZone)}
          </time>{" "}
          in the Sandbox
          {clockAheadMs > 0 && `, ${lengthInWords(clockAheadMs)} ahead of real time`}.
        </span>
        <span className="text-quiet max-md:hidden">Player activity uses this clock. Team changes and deliveries use real time.</span>
        <Link
          href={href("/settings")}
          prefetch={false}
          className="rounded font-medium text-sandbox underline-offset-2 hover:underline sm:ml-auto"
        >
          Sandbox clock
        </Link>
      </div>
    </aside>
  );
}
