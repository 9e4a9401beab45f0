"use client";

import { instantInWords } from "../../server/model/kernel/dates.ts";
import { ArrowRight, CircleCheck, KeyRound, LoaderCircle } from "lucide-react";
import Link from "next/link";
import { type ComponentProps, useState } from "react";
import { useQuery } from "@tanstack/react-query";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { Button, LinkButton } from "../components/button.tsx";
import { Code } from "../components/code.tsx";
import { dialogOnceOpen } from "../components/overlay.tsx";
import { Badge, Card, Notice, Skeleton } from "../components/surface.tsx";
import { DevelopersPage } from "./developers-page.tsx";
import { ItemProblems } from "./events/outcome.tsx";
import { firstRequests, keyPlaceholder, keyVariable, sampleEvent } from "./first-request.ts";

const NewKeyDialog = dialogOnceOpen(() => import("./keys/new-key-dialog.tsx").then((loaded) => loaded.NewKeyDialog));

/** Quickstart to the first event: a key, a request containing it, and a check mark on arrival. */
export function Quickstart() {
  const { environment, can, href } = useWhere();
  const [isOpen, setOpen] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  return (
    <DevelopersPage>
      <div className="flex max-w-3xl flex-col gap-4">
        <Card title="1. Create an API key" description="Your backend sends it with every request. It works in this environment only.">
          {key !== null ? (
            <Notice tone="good" title="The key is in the requests below">
              Store it safely too: it is not shown again once you leave this page.
            </Notice>
          ) : can("Admin") ? (
            <div className="flex flex-wrap items-center gap-3">
              <Button icon={<KeyRound />} opens={NewKeyDialog} onClick={() => setOpen(true)}>
                Create a key
              </Button>
              <span className="text-[0.8125rem] text-quiet">Or use an existing key in place of {keyPlaceholder(environment)}</span>
            </div>
          ) : (
            <p className="text-quiet">
              Only Admins and Owners can create keys. Ask one of them for a key that starts with {keyPlaceholder(environment)}
            </p>
          )}
        </Card>
        <Card
          title="2. Send an event"
          description="Run this in a shell. The first request creates a player and enters them into missions: their events count from then on."
        >
          <NothingDefined />
          <FirstRequests apiKey={key} />
        </Card>
        <Reception />
        <div className="flex flex-wrap gap-2">
          {can("Editor") && (
            <LinkButton variant="primary" href={href("/missions/new")} icon={<ArrowRight />}>
              Reward it with a mission
            </LinkButton>
          )}
          <LinkButton href="/docs" variant="ghost">
            Read the API reference
          </LinkButton>
        </div>
      </div>
      {isOpen && <NewKeyDialog onClose={() => setOpen(false)} onCreated={setKey} />}
    </DevelopersPage>
  );
}

/** Shown where the request would be refused: no event is defined, and discovery is off. */
function NothingDefined() {
  const { href, project, environment, can, canInBoth } = useWhere();
  const isLive = environment === "live";
  const other = isLive ? "sandbox" : "live";
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const { data: settings } = useRead(orpc.definitions.settings);
  const isRefused = catalogue && settings && !settings.discovery.events && !catalogue.events.some(({ active }) => active);
  const { data: source } = useQuery({
    ...orpc.definitions.catalogue.queryOptions({ input: { project, environment: other } }),
    enabled: isRefused === true,
  });
  if (!isRefused) return null;
  const canCopy = canInBoth("Editor") && source?.events.some(({ active }) => active) === true;
  return (
    <Notice tone="warn" title="Nothing is defined here yet" className="mb-3">
      Until an event is defined, every event is refused.{" "}
      {canCopy && (
        <>
          <TextLink href={`/dashboard/${project}/${isLive ? "sandbox/promote" : "live/promote?to=sandbox"}`}>
            {isLive ? "Promote definitions from Sandbox" : "Copy definitions from Live"}
          </TextLink>
          ,{" "}
        </>
      )}
      {can("Editor") ? (
        <>
          <TextLink href={href("/events/new")}>{canCopy ? "define one" : "Define one"}</TextLink>, or turn on discovery in the{" "}
          <TextLink href={href("/settings")}>Settings</TextLink>.
        </>
      ) : (
        "Ask an Editor, Admin or Owner to define one."
      )}
    </Notice>
  );
}

const TextLink = (props: ComponentProps<typeof Link>) => <Link {...props} className="underline underline-offset-2" />;

/** Requests with an event of this environment, and the key if it is known. */
export function FirstRequests({ apiKey }: { apiKey: string | null }) {
  const { scope, environment, now } = useWhere();
  const { data: catalogue } = useRead(orpc.definitions.catalogue);
  const { data: reception } = useRead(orpc.events.reception);
  if (catalogue === undefined || reception === undefined) return <Skeleton className="h-36" />;
  const key = { variable: keyVariable(scope), key: apiKey ?? keyPlaceholder(environment) };
  return <Code label="Copy requests" text={firstRequests(reception.baseUrl, key, sampleEvent(catalogue.events), now)} />;
}

const LOOK_EVERY_MS = 2_000;

/** The problems of the last event, if it was refused. */
function LastRefusal() {
  const { data } = useRead(orpc.events.tail, { take: 1 }, { refetchInterval: LOOK_EVERY_MS });
  const last = data?.items[0];
  if (last?.state !== "Refused") return null;
  return (
    <Notice tone="warn" title="The last event was refused" className="m-3">
      <ItemProblems problems={last.errors} />
    </Notice>
  );
}

const STATES = {
  Waiting: { tone: "info", label: "Queued" },
  Counted: { tone: "good", label: "Accepted" },
  Quarantined: { tone: "bad", label: "Quarantined" },
} as const;

/** Incoming events: waits for the first, confirms it, then shows the latest live. */
function Reception() {
  const { timeZone } = useWhere();
  const { data } = useRead(orpc.events.reception, {}, { refetchInterval: LOOK_EVERY_MS });
  const last = data?.last ?? [];
  return (
    <Card padded={false} aria-label="Received events">
      <div role="status" className="flex items-center gap-2.5 px-4 py-3">
        {data?.hasReceived ? (
          <CircleCheck className="size-5 shrink-0 text-good" />
        ) : (
          <LoaderCircle className="size-5 shrink-0 text-quiet motion-safe:animate-spin" />
        )}
        <div className="min-w-0 flex-1">
          <div className="font-medium">{data?.hasReceived ? "First event received" : "Waiting for the first event"}</div>
          <div className="text-[0.8125rem] text-quiet max-sm:min-h-[2lh]">
            {data?.hasReceived ? "New events appear automatically." : "Send the requests above. The event appears here when it arrives."}
          </div>
        </div>
      </div>
      {/* Of one height: an event that arrives must not move the links below. */}
      <div className="h-48 overflow-y-auto border-t border-line" tabIndex={0} role="group" aria-label="Latest events">
        <LastRefusal />
        {last.length > 0 && (
          <ul aria-label="Recent events">
            {last.map(({ player, key, receivedAt, state }, at) => (
              <li
                key={`${receivedAt} ${at}`}
                className="flex items-center gap-3 border-b border-line px-4 py-2 text-[0.8125rem] last:border-b-0"
              >
                <code className="min-w-0 truncate font-mono text-xs">{key ?? "deleted"}</code>
                <span className="min-w-0 flex-1 truncate text-quiet">{player}</span>
                <span className="text-xs text-quiet max-sm:hidden">{instantInWords(receivedAt, timeZone)}</span>
                <Badge tone={STATES[state].tone}>{STATES[state].label}</Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Card>
  );
}
