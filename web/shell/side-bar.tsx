import { ChevronsUpDown, LogOut, Plus, Search, UserRound } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useSignOut } from "../auth/use-sign-out.ts";
import { Button } from "../components/button.tsx";
import { cx } from "../components/classes.ts";
import { Menu } from "../components/overlay.tsx";
import { PageLink } from "../components/page-link.tsx";
import { useWhere } from "../client/service.tsx";
import { Badge, Kbd } from "../components/surface.tsx";
import { useThemeItems } from "../components/theme.tsx";
import { type EnvironmentKind, lower } from "../../server/model/kernel/environment.ts";
import { type Destination, destinations, ELSEWHERE } from "./navigation.ts";
import { useShortcut } from "../components/shortcut.ts";
import { sameScreen } from "./last-environment.ts";

export interface SideBarProps {
  email: string;
  projects: { slug: string; name: string }[];
  onSearch(): void;
}

export function SideBar({ email, projects, onSearch }: SideBarProps) {
  const themes = useThemeItems();
  const signOut = useSignOut();
  const shortcut = useShortcut();
  const { project, projectName, environment, approvals, roles } = useWhere();
  return (
    <>
      <div className="flex flex-col gap-2 px-3 pt-3 pb-2">
        <Menu
          align="start"
          trigger={
            <button
              type="button"
              className="flex w-full min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 text-left font-semibold hover:bg-veil"
            >
              <span
                className="flex size-6 shrink-0 items-center justify-center rounded-md bg-accent-fill text-xs text-on-accent"
                aria-hidden
              >
                {[...projectName][0]?.toUpperCase()}
              </span>
              <span className="min-w-0 flex-1 truncate">
                <span className="sr-only">Switch project, now </span>
                {projectName}
              </span>
              <ChevronsUpDown className="size-3.5 text-faint" />
            </button>
          }
          items={[
            ...projects.map(({ slug, name }) => ({
              label: name,
              hint: slug,
              href: `/dashboard/${slug}/${environment}`,
              isChosen: slug === project,
            })),
            { label: "New project", icon: <Plus />, href: "/dashboard/new-project", isApart: true },
          ]}
        />
        <EnvironmentSwitch project={project} environment={environment} />
        <Button variant="secondary" size="sm" className="justify-start text-quiet" icon={<Search />} onClick={onSearch}>
          <span className="flex-1 text-left font-normal">Search or jump to…</span>
          <Kbd>{shortcut}</Kbd>
        </Button>
      </div>
      {/* The lower edge fades, since more links may be below it. */}
      <nav
        aria-label="Sections"
        className="min-h-0 flex-1 scroll-pb-3 overflow-y-auto mask-[linear-gradient(to_bottom,black_calc(100%-0.75rem),transparent)] px-3 pb-3"
      >
        {destinations(project, environment, approvals, lower(roles.sandbox, roles.live)).map(({ label, items }, at) => (
          <div key={label ?? "home"} className={cx(at > 0 && "mt-1.5")}>
            {label && <div className="px-2 pt-1 pb-0.5 text-[0.6875rem] font-medium tracking-wide text-faint uppercase">{label}</div>}
            <ul>
              {items.map((item) => (
                <li key={item.href}>
                  <NavLink {...item} isExact={item.label === "Home"} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="border-t border-line p-2">
        <Menu
          align="start"
          trigger={
            <button
              type="button"
              className="flex w-full min-w-0 items-center gap-2 rounded-lg px-2 py-1.5 text-left text-[0.8125rem] text-quiet hover:bg-veil hover:text-ink"
            >
              <UserRound className="size-4 shrink-0" />
              <span className="min-w-0 flex-1 truncate">
                <span className="sr-only">Account and theme, signed in as </span>
                {email}
              </span>
              <ChevronsUpDown className="size-3.5 text-faint" />
            </button>
          }
          items={[
            ...ELSEWHERE.map(({ label, icon: Icon, href }) => ({ label, icon: <Icon />, href })),
            ...themes.map((item, at) => ({ ...item, isApart: at === 0 })),
            { label: "Sign out", icon: <LogOut />, onSelect: () => void signOut(), isApart: true },
          ]}
        />
      </div>
    </>
  );
}

/** Scrolls to the current page's link: in a low window, the last sections are out of sight. */
const showInSideBar = (link: HTMLAnchorElement | null) => link?.scrollIntoView({ block: "nearest" });

function NavLink({ label, icon: Icon, href, count = 0, isExact }: Destination & { isExact: boolean }) {
  const path = usePathname();
  const isCurrent = isExact ? path === href : path === href || path.startsWith(`${href}/`);
  return (
    <PageLink
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      ref={isCurrent ? showInSideBar : undefined}
      className={cx(
        "flex h-7 items-center gap-2 rounded-md px-2 text-[0.8125rem] text-quiet hover:bg-veil hover:text-ink max-lg:h-9",
        isCurrent && "bg-veil font-medium text-ink",
      )}
    >
      <Icon className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {count > 0 && (
        <Badge tone="warn" className="tabular-nums">
          {count}
          <span className="sr-only"> waiting</span>
        </Badge>
      )}
    </PageLink>
  );
}

const KINDS: { kind: EnvironmentKind; label: string; current: string }[] = [
  { kind: "sandbox", label: "Sandbox", current: "bg-sandbox-soft text-sandbox" },
  { kind: "live", label: "Live", current: "bg-live-rail text-on-live" },
];

/** The same screen in the other environment (`sameScreen`). */
function EnvironmentSwitch({ project, environment }: { project: string; environment: EnvironmentKind }) {
  const [, screen = ""] = usePathname().split(`/dashboard/${project}/${environment}/`);
  const there = sameScreen(screen, useSearchParams());
  return (
    <nav aria-label="Environment" className="grid grid-cols-2 gap-0.5 rounded-lg border border-line bg-paper p-0.5">
      {KINDS.map(({ kind, label, current }) => (
        <PageLink
          key={kind}
          href={`/dashboard/${project}/${kind}${there}`}
          aria-current={kind === environment ? "true" : undefined}
          className={cx(
            "flex h-6.5 items-center justify-center gap-1.5 rounded-md text-xs font-medium",
            kind === environment ? current : "text-quiet hover:bg-veil hover:text-ink",
          )}
        >
          <span className="size-1.5 rounded-full bg-current" aria-hidden />
          {label}
        </PageLink>
      ))}
    </nav>
  );
}
