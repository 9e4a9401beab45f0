"use client";

import { useQuery } from "@tanstack/react-query";
import { Ellipsis, Megaphone, Pencil, Plus, Power, Trash2 } from "lucide-react";
import { useState } from "react";
import { type Answers, orpc, rpc, useAttempt, useWhere } from "../../client/service.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { ConfirmDialog, dialogOnceOpen, Menu } from "../../components/overlay.tsx";
import { Page } from "../../components/page.tsx";
import { Loaded } from "../../components/problems.tsx";
import { Badge, Card, EmptyState, Notice } from "../../components/surface.tsx";
import { Instant } from "../../components/time.tsx";
import { NOTICE_KINDS } from "../notices/words.ts";
import type { Channel } from "./channel-dialog.tsx";

const ChannelDialog = dialogOnceOpen(() => import("./channel-dialog.tsx").then((loaded) => loaded.ChannelDialog));

/** Where a project's notifications are posted, for Admins and Owners. */
export function ChannelsPage() {
  const { project } = useWhere();
  const list = useQuery({ ...orpc.channels.list.queryOptions({ input: { project } }), retry: false });
  const [isNew, setNew] = useState(false);
  const add = (
    <Button variant="primary" icon={<Plus />} opens={ChannelDialog} onClick={() => setNew(true)}>
      Add channel
    </Button>
  );
  return (
    <Page
      title="Channels"
      description="Posts notifications of the Sandbox and Live to Slack or to your own system: one message when a problem begins, one when it is over, at most one message a minute."
      actions={list.data !== undefined && list.data.channels.length > 0 && add}
      width="narrow"
    >
      <Loaded of={list} what="The channels" className="h-40">
        {({ channels }) =>
          channels.length === 0 ? (
            <Card>
              <EmptyState icon={<Megaphone />} title="No channels yet" action={add}>
                Members get notifications by email if they choose so in their account. A channel posts them to your team's chat.
              </EmptyState>
            </Card>
          ) : (
            <ul className="flex flex-col gap-4" aria-label="Channels">
              {channels.map((channel) => (
                <li key={channel.id}>
                  <ChannelCard channel={channel} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      {isNew && <ChannelDialog onClose={() => setNew(false)} />}
    </Page>
  );
}

function ChannelCard({ channel }: { channel: Channel }) {
  const { project } = useWhere();
  const attempt = useAttempt(orpc.channels.key());
  const [asked, setAsked] = useState<"edit" | "delete" | null>(null);
  const [isTesting, setTesting] = useState(false);
  const [tested, setTested] = useState<Answers["channels"]["test"] | null>(null);
  const { id, name, type, url, kinds, isOn, offReason, failingSince, isReadable, last } = channel;
  const one = { project, id };
  const test = async () => {
    setTesting(true);
    setTested(null);
    await attempt("The test was not sent", async () => setTested(await rpc.channels.test(one))).catch(() => {});
    setTesting(false);
  };
  const switchTo = (to: boolean) =>
    attempt(
      "The change failed",
      () => rpc.channels.switch({ ...one, isOn: to }),
      to ? "Channel switched on" : "Channel switched off",
    ).catch(() => {});
  return (
    <Card
      title={
        <span className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="wrap-anywhere">{name}</span>
          {!isOn ? <Badge>Off</Badge> : failingSince === null ? <Badge tone="good">Active</Badge> : <Badge tone="bad">Failing</Badge>}
        </span>
      }
      description={
        <span className="wrap-anywhere">
          {TYPE_NAMES[type]} · {url}
        </span>
      }
      actions={
        <>
          <Button size="sm" isPending={isTesting} onClick={() => void test()}>
            Send test
          </Button>
          <Menu
            trigger={<IconButton size="sm" variant="secondary" label={`More actions for ${name}`} icon={<Ellipsis />} />}
            items={[
              { label: "Edit", icon: <Pencil />, onSelect: () => setAsked("edit") },
              { label: isOn ? "Switch off" : "Switch on", icon: <Power />, onSelect: () => void switchTo(!isOn) },
              { label: "Delete", icon: <Trash2 />, isDanger: true, isApart: true, onSelect: () => setAsked("delete") },
            ]}
          />
        </>
      }
    >
      <div className="flex flex-col gap-3 text-[0.8125rem]">
        <ul className="flex flex-wrap gap-1.5" aria-label="Notifications">
          {NOTICE_KINDS.filter(({ kind }) => kinds.includes(kind)).map(({ kind, label }) => (
            <li key={kind}>
              <Badge>{label}</Badge>
            </li>
          ))}
        </ul>
        <p className="text-quiet">
          {last === null ? (
            "No messages yet."
          ) : (
            <>
              Last message <Instant value={last.at} />: {last.isSent ? "accepted" : (last.error ?? "pending")}
            </>
          )}
        </p>
        {!isReadable && (
          <Notice tone="bad">
            Its URL can no longer be decrypted, because AUTH_SECRET was changed. Delete the channel and add it again.
          </Notice>
        )}
        {!isOn && offReason !== null && <Notice tone="warn">{offReason} New notifications are not posted until it is switched on.</Notice>}
        <div aria-live="polite">
          {tested !== null && (
            <Notice tone={tested.isAccepted ? "good" : "bad"} title={tested.isAccepted ? "Test accepted" : "Test failed"}>
              {tested.isAccepted ? undefined : tested.words}
            </Notice>
          )}
        </div>
      </div>
      {asked === "edit" && <ChannelDialog channel={channel} onClose={() => setAsked(null)} />}
      <ConfirmDialog
        open={asked === "delete"}
        onOpenChange={(open) => setAsked(open ? "delete" : null)}
        title={`Delete ${name}?`}
        confirmLabel="Delete channel"
        isDanger
        onConfirm={() => attempt("The channel was not deleted", () => rpc.channels.delete(one), "Channel deleted")}
      >
        Its notifications stop. Its URL and secret are deleted. This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}

const TYPE_NAMES: Record<Channel["type"], string> = { Slack: "Slack", Signed: "Signed webhook" };
