import { plural } from "../../server/model/kernel/thousands.ts";
import { pathOf } from "../../server/model/notices/words.ts";
import { orpc, useRead, useWhere } from "../client/service.tsx";
import { MoreLink, TextLink } from "../components/button.tsx";
import { useFirst } from "../components/list-card.tsx";
import { Badge, Card } from "../components/surface.tsx";
import { Instant } from "../components/time.tsx";
import { NOTICE_KINDS } from "../settings/notices/words.ts";

const SHOWN = 5;

export function Notices() {
  const { scope, project } = useWhere();
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
              <TextLink
                href={`/dashboard/${project}${pathOf({ ...notice, environment: scope.environment, details: notice.request === null ? {} : { request: notice.request } })}`}
              >
                {NOTICE_KINDS.find(({ kind }) => kind === notice.kind)?.label}
              </TextLink>{" "}
              <span className="text-quiet">
                {notice.request?.title ?? notice.url ?? notice.name ?? (notice.count === null ? "" : plural(notice.count, "event"))}
              </span>
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
