"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { Fragment } from "react";
import type { CompletionSeen } from "../../server/game/players/contract.dashboard.ts";
import { dayInWords } from "../../server/model/rules/value.ts";
import { orpc } from "../client/rpc.ts";
import { useWhere } from "../client/where.tsx";
import { LinkButton } from "../components/button.tsx";
import { Badge } from "../components/surface.tsx";
import { usePages } from "../components/pager.tsx";
import { instantColumn } from "../components/instant-column.tsx";
import type { Column } from "../components/table.tsx";
import { deliveryQueryOf } from "../developers/deliveries/delivery-filter.ts";
import { PagedCard } from "./paged-card.tsx";
import { Named } from "./named.tsx";
import { pageInput } from "./player-input.ts";
import { pointsInWords, valueInWords } from "./values.ts";

/** What a player has completed, the newest first, with what it granted then. */
export function Completions({ externalId }: { externalId: string }) {
  const { scope, href, timeZone } = useWhere();
  const pages = usePages();
  const { data, error, isPlaceholderData } = useQuery({
    ...orpc.players.completions.queryOptions({ input: pageInput(scope, externalId, pages.cursor) }),
    placeholderData: keepPreviousData,
  });
  const columns: Column<CompletionSeen>[] = [
    {
      id: "mission",
      header: "Mission",
      cell: ({ mission, occurrence, startedAt }) => (
        <span className="flex flex-wrap items-center gap-x-2">
          {mission === null ? <span className="text-quiet">Deleted mission</span> : <Named kind="missions" of={mission} />}
          {occurrence > 0 && <Badge>{dayInWords(Date.parse(startedAt), timeZone)}</Badge>}
        </span>
      ),
    },
    { id: "rewards", header: "Rewards", cell: ({ rewards }) => <Rewards rewards={rewards} /> },
    instantColumn("Completed", ({ completedAt }) => completedAt, { className: "sm:w-40", onClock: true, isQuiet: true }),
  ];
  return (
    <PagedCard
      title="Completed missions"
      actions={
        <LinkButton
          size="sm"
          variant="ghost"
          href={href(`/developers/deliveries${deliveryQueryOf({ player: externalId })}`)}
          prefetch={false}
        >
          Deliveries
        </LinkButton>
      }
      columns={columns}
      page={data && { rows: data.completions, next: data.next }}
      read={{ error, isPlaceholderData }}
      pages={pages}
      empty={{
        icon: <CircleCheck aria-hidden />,
        title: "No completed missions yet",
        words: "Completed missions are listed here with their rewards.",
      }}
    />
  );
}

function Rewards({ rewards }: Pick<CompletionSeen, "rewards">) {
  const { timeZone } = useWhere();
  return (
    <span className="text-[0.8125rem]">
      {rewards.map((reward, at) => (
        <Fragment key={at}>
          {at > 0 && ", "}
          {reward.kind === "Points" ? (
            <span className="whitespace-nowrap tabular-nums">{pointsInWords(reward.points)}</span>
          ) : (
            <>
              <Named kind="catalogItems" of={reward.catalogItem} />: {valueInWords(reward.value, timeZone)}
            </>
          )}
        </Fragment>
      ))}
    </span>
  );
}
