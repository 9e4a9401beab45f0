import { Autocomplete } from "@base-ui/react/autocomplete";
import { keepPreviousData } from "@tanstack/react-query";
import { ArrowLeftRight, Keyboard, LogOut, Monitor, Moon, Plus, Sun } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useTheme } from "next-themes";
import { useDeferredValue, useMemo, useState } from "react";
import { isAtLeast, lower } from "../../server/model/kernel/environment.ts";
import type { Openable } from "../components/overlay.tsx";
import { problemOf } from "../components/problems.tsx";
import { FoundItem, SearchPopup } from "../components/search-popup.tsx";
import { useSignOut } from "../auth/use-sign-out.ts";
import { useVisit } from "../client/leaving.ts";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { ENVIRONMENT_NAMES, otherOf } from "../components/environment-badge.tsx";
import { paletteGroups, SHOWN } from "./palette-entries.ts";
import { type PaletteEntry, type PaletteGroup, rankedGroups } from "./palette-search.ts";
import { sameScreen } from "./last-environment.ts";

/** The command palette: searches screens, definitions and players. */
export function PaletteDialog({ onHelp, ...opened }: Openable & { onHelp(): void }) {
  const visit = useVisit();
  const [text, setText] = useState("");
  const query = text.trim();
  const { groups, emptyText } = useGroups(query, onHelp);
  const go = ({ href, act }: PaletteEntry) => {
    opened.onOpenChange(false);
    setText("");
    // After the popup has closed: it returns the focus.
    setTimeout(() => (href === undefined ? act?.() : visit(href)), 0);
  };
  return (
    <SearchPopup
      {...opened}
      label="Search or jump to"
      placeholder="Search definitions, players and pages…"
      text={text}
      setText={setText}
      items={groups}
      className="max-w-xl"
    >
      <div className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
        <Autocomplete.Empty>
          <div className="px-3 py-6 text-center text-quiet wrap-anywhere">{emptyText}</div>
        </Autocomplete.Empty>
        <Autocomplete.List aria-label="Results">
          {(group: PaletteGroup) => <Group key={group.heading} group={group} onChoose={go} />}
        </Autocomplete.List>
      </div>
    </SearchPopup>
  );
}

/** The actions of the side bar's menus. */
function useCommands(onHelp: () => void): PaletteEntry[] {
  const { project, environment } = useWhere();
  const { setTheme } = useTheme();
  const [, screen = ""] = usePathname().split(`/dashboard/${project}/${environment}/`);
  const there = sameScreen(screen, useSearchParams());
  const other = otherOf(environment);
  const signOut = useSignOut();
  return useMemo(
    () => [
      {
        label: `Switch to ${ENVIRONMENT_NAMES[other]}`,
        icon: ArrowLeftRight,
        href: `/dashboard/${project}/${other}${there}`,
        keywords: "environment change",
      },
      { label: "Light theme", icon: Sun, act: () => setTheme("light"), keywords: "bright appearance colours colors mode" },
      { label: "Dark theme", icon: Moon, act: () => setTheme("dark"), keywords: "night appearance colours colors mode" },
      { label: "System theme", icon: Monitor, act: () => setTheme("system"), keywords: "auto appearance colours colors mode" },
      { label: "Keyboard shortcuts", icon: Keyboard, act: onHelp, keywords: "keys help hotkeys" },
      { label: "New project", icon: Plus, href: "/dashboard/new-project", keywords: "create app workspace" },
      { label: "Sign out", icon: LogOut, act: () => void signOut(), keywords: "log out logout leave" },
    ],
    [project, other, there, setTheme, onHelp, signOut],
  );
}

function useGroups(query: string, onHelp: () => void): { groups: PaletteGroup[]; emptyText: string } {
  const commands = useCommands(onHelp);
  const { project, environment, approvals, roles } = useWhere();
  // On project-wide screens `can` asks for the role in the Sandbox; these entries lead to the environment that the user came from.
  const canCreate = isAtLeast(roles[environment], "Editor");
  const role = lower(roles.sandbox, roles.live);
  const { data: catalogue, isPending: isReading, error: readError } = useRead(orpc.definitions.catalogue);
  const search = useDeferredValue(query);
  const {
    data: found,
    isPlaceholderData,
    isPending: isSearching,
    error: searchError,
  } = useRead(orpc.players.search, { query: search, limit: SHOWN }, { enabled: search !== "", placeholderData: keepPreviousData });
  const isFound = search === query && !isPlaceholderData;
  const groups = useMemo(() => {
    const players = found?.players ?? [];
    return rankedGroups(
      paletteGroups({ project, environment, approvals, canCreate, role, query, catalogue, players, isFound, commands }),
      query,
    );
  }, [project, environment, approvals, canCreate, role, query, catalogue, found, isFound, commands]);
  const emptyText = readError
    ? `Definitions could not be searched. ${problemOf(readError)}`
    : searchError
      ? `Players could not be searched. ${problemOf(searchError)}`
      : isReading || isSearching || !isFound
        ? "Searching…"
        : `No results in this environment for “${query}”.`;
  return { groups, emptyText };
}

const Group = ({ group: { heading, items }, onChoose }: { group: PaletteGroup; onChoose(entry: PaletteEntry): void }) => (
  <Autocomplete.Group items={items}>
    <Autocomplete.GroupLabel className="px-2.5 py-1.5 text-xs text-faint">{heading}</Autocomplete.GroupLabel>
    <Autocomplete.Collection>
      {(entry: PaletteEntry) => (
        <FoundItem
          key={entry.href ?? entry.label}
          value={entry}
          onClick={() => onChoose(entry)}
          className="flex h-9 items-center gap-2.5 px-2.5 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet"
        >
          <entry.icon aria-hidden />
          <span dir="auto" className="min-w-0 flex-1 truncate text-left">
            {entry.label}
          </span>
          {entry.aside && <span className="max-w-[40%] truncate text-xs text-faint">{entry.aside}</span>}
        </FoundItem>
      )}
    </Autocomplete.Collection>
  </Autocomplete.Group>
);
