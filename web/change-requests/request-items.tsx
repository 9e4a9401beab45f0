import { instantInWords } from "../../server/model/kernel/dates.ts";
import { Pencil } from "lucide-react";
import type { ReactNode } from "react";
import { isBacktested } from "../../server/model/backtests/result.ts";
import { plural } from "../../server/model/kernel/thousands.ts";
import { useWhere } from "../client/service.tsx";
import { LinkButton, TextLink } from "../components/button.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { ChangedFields } from "../definitions/history/changed-fields.tsx";
import { Differences } from "../definitions/history/lazy-differences.tsx";
import { definitionPath, KIND_SCREENS } from "../definitions/kinds/index.ts";
import { kindOne } from "../definitions/promote/names.ts";
import { ItemBacktest } from "./item-backtest.tsx";
import type { RequestSeen } from "./request-words.tsx";

type Item = RequestSeen["items"][number];

const SIGNS = {
  "+": { words: "New", tone: "good" },
  "~": { words: "Changed", tone: "info" },
  "-": { words: "Deleted", tone: "bad" },
} as const;

/** A few changes are expanded at first. */
const OPEN_AT_MOST = 3;

/** The definitions of a request, each with its difference; after a conflicting change in Live, with both sides. */
export function RequestItems({ request }: { request: RequestSeen }) {
  const { items, now } = request;
  return (
    <Card title={items.length === 1 ? "Change" : plural(items.length, "change")} padded={false}>
      <ul aria-label="Changes" className="divide-y divide-line">
        {items.map((item) => (
          <li key={`${item.kind} ${item.key}`} className="px-4 py-3">
            <RequestItem
              item={item}
              now={now.find(({ kind, key }) => kind === item.kind && key === item.key) ?? null}
              request={request}
              isOpenAtFirst={items.length <= OPEN_AT_MOST || item.changedSince !== null}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ItemProps {
  item: Item;
  now: RequestSeen["now"][number] | null;
  request: RequestSeen;
  isOpenAtFirst: boolean;
}

function RequestItem({ item, now, request, isOpenAtFirst }: ItemProps) {
  const { href, timeZone } = useWhere();
  const { kind, key, name, sign, isAnew, fields, changedSince } = item;
  const { words, tone } = isAnew ? { words: "Started over", tone: "warn" as const } : SIGNS[sign];
  const isGone = now?.isGone === true;
  const isEdited = request.may.edit && sign !== "-" && !isAnew && !isGone && kind !== "settings";
  const to = kind === "settings" ? "/settings" : definitionPath(kind, key);
  const form = kind === "settings" ? "" : sign === "+" ? `/${KIND_SCREENS[kind].path}/new?of=${encodeURIComponent(key)}&` : `${to}/edit?`;
  const inLive = changedSince !== null && now !== null && (
    <Side
      title={`In Live, ${changedSince.by ?? "a person"} ${isGone ? "deleted this" : "changed"}${changedSince.at === null ? "" : ` on ${instantInWords(changedSince.at, timeZone)}`}`}
    >
      {!isGone && <Differences of={now} />}
    </Side>
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        {sign === "+" || isGone ? (
          <span className="font-medium wrap-anywhere">{name}</span>
        ) : (
          <TextLink href={href(to)} className="min-w-0 py-0.5 text-sm">
            {name}
          </TextLink>
        )}
        {name !== key && kind !== "settings" && <code className="font-mono text-xs text-quiet wrap-anywhere">{key}</code>}
        <span className="text-xs text-quiet">{kindOne(kind)}</span>
        <Badge tone={tone}>{words}</Badge>
        {isEdited && (
          <LinkButton size="sm" variant="ghost" className="ml-auto" icon={<Pencil />} href={href(`${form}request=${request.id}`)}>
            Edit<span className="sr-only"> {name}</span>
          </LinkButton>
        )}
      </div>
      {sign === "-" ? (
        <>
          <p className="text-[0.8125rem] text-quiet">Would no longer be in Live.</p>
          {inLive}
        </>
      ) : (
        <>
          <ChangedFields sign={sign} fields={fields} of={name} isOpenAtFirst={isOpenAtFirst} className="flex flex-col gap-3">
            {inLive}
            <Side title={changedSince === null ? null : "This request, as Live was when it was made"}>
              <Differences of={item} isNew={sign === "+"} />
            </Side>
          </ChangedFields>
          {request.closedAt === null && isBacktested(kind) && <ItemBacktest requestId={request.id} kind={kind} itemKey={key} name={name} />}
        </>
      )}
    </>
  );
}

const Side = ({ title, children }: { title: string | null; children: ReactNode }) => (
  <div className="rounded-lg border border-line bg-paper px-3 py-1">
    {title !== null && <p className="pt-1 text-xs font-medium text-quiet wrap-anywhere">{title}</p>}
    {children}
  </div>
);
