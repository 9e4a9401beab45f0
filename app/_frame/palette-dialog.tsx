"use client";

import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Plus, Search, UserRound } from "lucide-react";
import { useRouter } from "next/navigation";
import { type ReactNode, useDeferredValue, useState } from "react";
import { Kbd } from "../_components/surface.tsx";
import { KIND_WORDS } from "../_client/kinds.tsx";
import { orpc } from "../_client/rpc.ts";
import { useWhere } from "../_client/where.tsx";
import type { EnvironmentKind } from "../../server/kernel/environment.ts";
import { destinations, ELSEWHERE } from "./navigation.ts";

interface PaletteDialogProps {
  isOpen: boolean;
  setOpen(isOpen: boolean): void;
  finalFocus(): HTMLElement | boolean;
  project: string;
  environment: EnvironmentKind;
}

/** How many definitions and how many players are shown. */
const SHOWN = 12;

/** Finds screens, definitions and players by a few letters, and goes there. */
export function PaletteDialog({ isOpen, setOpen, finalFocus, project, environment }: PaletteDialogProps) {
  const router = useRouter();
  const [text, setText] = useState("");
  const search = useDeferredValue(text.trim());
  const go = (href: string) => {
    setOpen(false);
    setText("");
    router.push(href);
  };
  return (
    <Dialog.Root open={isOpen} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-[rgb(10_12_18/0.35)]" />
        <Dialog.Popup
          finalFocus={finalFocus}
          aria-label="Search or jump to"
          className="fixed top-[max(1rem,10vh)] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-xl border border-line bg-overlay shadow-overlay outline-none"
        >
          <Command label="Search or jump to" loop>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search className="size-4 shrink-0 text-quiet" aria-hidden />
              <Command.Input
                autoFocus
                value={text}
                onValueChange={setText}
                placeholder="Search definitions, players and pages…"
                className="h-12 min-w-0 flex-1 bg-transparent text-base outline-none sm:text-sm"
              />
              <span className="max-sm:hidden">
                <Kbd>Esc</Kbd>
              </span>
            </div>
            <Command.List className="max-h-[min(24rem,60vh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-6 text-center text-quiet wrap-anywhere">
                No definition, player or page of this environment is called “{text.trim()}”.
              </Command.Empty>
              {destinations(project, environment).map(({ label, items }) => (
                <Group key={label ?? "home"} heading={label ?? "Go to"}>
                  {items.map(({ label: name, icon: Icon, href, keywords }) => (
                    <Row
                      key={href}
                      value={`${label ?? ""} ${name} ${keywords ?? ""}`}
                      icon={<Icon aria-hidden />}
                      onSelect={() => go(href)}
                    >
                      {name}
                    </Row>
                  ))}
                </Group>
              ))}
              <Creations go={go} />
              <Definitions search={search} go={go} />
              <Players search={search} go={go} />
              <Group heading="Elsewhere">
                {ELSEWHERE.map(({ label, icon: Icon, href, keywords }) => (
                  <Row key={href} value={`${label} ${keywords ?? ""}`} icon={<Icon aria-hidden />} onSelect={() => go(href)}>
                    {label}
                  </Row>
                ))}
              </Group>
            </Command.List>
          </Command>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface Going {
  go(href: string): void;
}

function Creations({ go }: Going) {
  const { can, href } = useWhere();
  if (!can("Editor")) return null;
  return (
    <Group heading="Create">
      {Object.values(KIND_WORDS).map(({ kind, one, path }) => (
        <Row key={kind} value={`create new ${one}`} icon={<Plus aria-hidden />} onSelect={() => go(href(`/${path}/new`))}>
          New {one}
        </Row>
      ))}
    </Group>
  );
}

function Definitions({ search, go }: Going & { search: string }) {
  const { scope, href } = useWhere();
  const { data } = useQuery(orpc.definitions.catalogue.queryOptions({ input: scope }));
  if (search === "" || !data) return null;
  const words = search.toLowerCase().split(/\s+/);
  const found = Object.values(KIND_WORDS).flatMap((kindWords) => {
    const all: readonly { key: string; name: string }[] = data[kindWords.kind as keyof typeof data & "missions"] ?? [];
    return all.filter(({ key, name }) => holds(`${name} ${key} ${kindWords.one}`, words)).map((one) => ({ ...one, ...kindWords }));
  });
  if (found.length === 0) return null;
  return (
    <Group heading="Definitions">
      {found.slice(0, SHOWN).map(({ kind, key, name, icon: Icon, one, path }) => (
        <Row
          key={`${kind}/${key}`}
          value={`${name} ${key} ${one}`}
          icon={<Icon aria-hidden />}
          aside={one}
          onSelect={() => go(href(`/${path}/${encodeURIComponent(key)}`))}
        >
          {name}
        </Row>
      ))}
    </Group>
  );
}

const holds = (text: string, words: readonly string[]): boolean => words.every((word) => text.toLowerCase().includes(word));

function Players({ search, go }: Going & { search: string }) {
  const { scope, href } = useWhere();
  const { data } = useQuery({
    ...orpc.players.search.queryOptions({ input: { ...scope, query: search, limit: SHOWN } }),
    enabled: search !== "",
    placeholderData: keepPreviousData,
  });
  if (search === "" || !data || data.players.length === 0) return null;
  return (
    <Group heading="Players">
      {data.players.map(({ externalId, displayName }) => (
        <Row
          key={externalId}
          value={`${displayName ?? ""} ${externalId} ${search} player`}
          icon={<UserRound aria-hidden />}
          aside={displayName ? externalId : "player"}
          onSelect={() => go(href(`/players/${encodeURIComponent(externalId)}`))}
        >
          {displayName ?? externalId}
        </Row>
      ))}
    </Group>
  );
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={heading}
    className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-faint"
  >
    {children}
  </Command.Group>
);

interface RowProps {
  value: string;
  icon: ReactNode;
  /** What it is, at the end of the row. */
  aside?: string;
  onSelect(): void;
  children: ReactNode;
}

const Row = ({ value, icon, aside, onSelect, children }: RowProps) => (
  <Command.Item
    value={value}
    onSelect={onSelect}
    className="flex h-9 cursor-default items-center gap-2.5 rounded-lg px-2.5 text-sm select-none data-[selected=true]:bg-veil [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-quiet"
  >
    {icon}
    <span className="min-w-0 flex-1 truncate">{children}</span>
    {aside && <span className="max-w-[40%] truncate text-xs text-faint">{aside}</span>}
  </Command.Item>
);
