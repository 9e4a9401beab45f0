"use client";

import { useQuery } from "@tanstack/react-query";
import { useAttempt } from "../../client/attempt.ts";
import { orpc, rpc } from "../../client/rpc.ts";
import { Checkbox } from "../../components/choice.tsx";
import { Card, Notice, Skeleton } from "../../components/surface.tsx";
import { KINDS } from "../../settings/notices/words.ts";

/** Up to this many projects are shown expanded. */
const MAX_OPEN = 2;

/** E-mail notifications, by project. */
export function Notifications() {
  const { data } = useQuery(orpc.notices.choices.queryOptions());
  const attempt = useAttempt(orpc.notices.key());
  const choose = (project: string, kind: (typeof KINDS)[number]["kind"], isOn: boolean) =>
    attempt("The setting was not saved", () => rpc.notices.choose({ project, kind, isOn })).catch(() => {});
  return (
    <Card
      title="Email notifications"
      description="By default, Owners and Admins get them. At most one email an hour for each project and kind."
    >
      {data === undefined ? (
        <Skeleton className="h-20" />
      ) : (
        <div className="relative flex flex-col gap-4">
          {!data.canMail && (
            <Notice tone="neutral">
              This installation sends no email because SMTP_URL is not set. Your choices take effect once it is.
            </Notice>
          )}
          {data.projects.length === 0 && <p className="text-quiet">You have no projects yet.</p>}
          {data.projects.map(({ slug, name, role, mailed }) => (
            // With many projects, each starts collapsed.
            <details key={slug} open={data.projects.length <= MAX_OPEN}>
              <summary className="cursor-pointer rounded text-[0.8125rem] font-medium">
                {name}{" "}
                <span className="font-normal text-quiet">
                  {role} · {mailed.length === 0 ? "none" : `${mailed.length} of ${KINDS.length}`}
                </span>
              </summary>
              <fieldset className="mt-2 flex flex-col gap-2">
                <legend className="sr-only">{name}</legend>
                {KINDS.map(({ kind, label }) => (
                  <Checkbox
                    key={kind}
                    label={label}
                    checked={mailed.includes(kind)}
                    onCheckedChange={(isOn) => void choose(slug, kind, isOn)}
                  />
                ))}
              </fieldset>
            </details>
          ))}
        </div>
      )}
    </Card>
  );
}
