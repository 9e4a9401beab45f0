import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { plural } from "../../server/model/kernel/thousands.ts";
import { orpc, rpc, useAttempt, useWhere } from "../client/service.tsx";
import { choices } from "../components/choice.tsx";
import { Field } from "../components/inputs.tsx";
import { ConfirmDialog } from "../components/overlay.tsx";
import { Select } from "../components/select.tsx";
import { Card, Skeleton } from "../components/surface.tsx";

const OPTIONS = choices({
  none: "Optional",
  live: "Required from people who can change Live",
  everybody: "Required from everyone",
});

type Choice = (typeof OPTIONS)[number]["value"];

/** The setting that requires a second factor in the project's organization. */
export function Security() {
  const { project } = useWhere();
  const { data } = useQuery(orpc.security.read.queryOptions({ input: { project } }));
  const attempt = useAttempt(orpc.security.key());
  const [asked, setAsked] = useState<Choice | null>(null);
  const save = (choice: Choice) =>
    attempt(
      "The setting was not saved",
      () => rpc.security.require({ project, requirement: choice === "none" ? null : choice }),
      "Security saved",
    );
  const affected = data === undefined || asked === null || asked === "none" ? 0 : asked === "live" ? data.withoutInLive : data.without;
  return (
    <Card title="Security" description="For the whole organization.">
      {data === undefined ? (
        <Skeleton className="h-14" />
      ) : (
        <Field
          label="Second factor"
          hint={
            data.mayChange
              ? "A code beside the password at sign-in. Providers have their own."
              : "Only an Owner of the whole organization can change this."
          }
        >
          <Select
            value={data.requirement ?? "none"}
            onValueChange={(value) => value !== (data.requirement ?? "none") && setAsked(value)}
            options={OPTIONS}
            disabled={!data.mayChange}
          />
        </Field>
      )}
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(isOpen) => isOpen || setAsked(null)}
        title={asked === "none" ? "Stop requiring a second factor?" : "Require a second factor?"}
        confirmLabel={asked === "none" ? "Stop requiring it" : "Require it"}
        isDanger={asked === "none"}
        onConfirm={() => save(asked!)}
      >
        {asked === "none"
          ? "Members keep theirs, and can remove it."
          : affected === 0
            ? "Everyone affected already has one."
            : `${plural(affected, "member")} ${affected === 1 ? "has" : "have"} none yet, and can do nothing else until they set it up. Tokens keep working.`}
      </ConfirmDialog>
    </Card>
  );
}
