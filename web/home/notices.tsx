import { plural } from "../../server/model/kernel/thousands.ts";
import { pathOf } from "../../server/model/notices/words.ts";
import { type Answers, orpc, useRead, useWhere } from "../client/service.tsx";
import { MoreLink, TextLink } from "../components/button.tsx";
import { useFirst } from "../components/list-card.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { NOTICE_KINDS } from "../settings/notices/words.ts";

const SHOWN = 5;

export function Notices() {
  const { data } = useRead(orpc.notices.list);
  const [shown, rest] = useFirst(data?.notices ?? [], SHOWN);
  if (shown.length === 0) return null;
  return (
    <Card title="Notifications" padded={false} actions={<MoreLink href="/dashboard/account">Email notifications</MoreLink>}>
      <ul aria-label="Notifications">
        {shown.map((notice) => (
          <li
            key={notice.id}
            className="flex items-baseline gap-3 border-b border-line px-4 py-2.5 text-[0.8125rem] last:border-b-0 max-sm:flex-col max-sm:gap-1"
          >
            <span className="min-w-0 flex-1 wrap-anywhere">
              <About notice={notice} />
            </span>
            {notice.hasEnd && <Badge tone={notice.isOpen ? "bad" : "neutral"}>{notice.isOpen ? "Open" : "Resolved"}</Badge>}
            <span className="text-quiet">
              <Instant value={notice.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {rest}
    </Card>
  );
}

type Notice = Answers["notices"]["list"]["notices"][number];

/** A notice's kind, linked to its subject where the user may read that, and the subject's name. */
function About({ notice }: { notice: Notice }) {
  const { scope, project, canInBoth } = useWhere();
  const isReadable = notice.kind !== "ChannelSwitchedOff" || canInBoth("Admin");
  const label = NOTICE_KINDS.find(({ kind }) => kind === notice.kind)?.label;
  const details = notice.request === null ? {} : { request: notice.request };
  const path = pathOf({ ...notice, environment: scope.environment, details });
  return (
    <>
      {isReadable ? <TextLink href={`/dashboard/${project}${path}`}>{label}</TextLink> : <span className="font-medium">{label}</span>}{" "}
      <span className="text-quiet">
        {notice.request?.title ?? notice.url ?? notice.name ?? (notice.count === null ? "" : plural(notice.count, "event"))}
        {!isReadable && notice.isOpen && ". Ask an Admin or Owner to fix it."}
      </span>
    </>
  );
}
