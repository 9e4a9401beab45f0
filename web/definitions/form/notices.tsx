import { instantInWords } from "#server/model/kernel/dates.ts";
import { Lock } from "lucide-react";
import { useEffect, useRef } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { orpc, useRead, useWhere } from "../../client/service.tsx";
import { lazily } from "../../components/lazily.tsx";
import { Button, SmallLink } from "../../components/button.tsx";
import { Notice } from "../../components/surface.tsx";
import { WaitingRequests } from "../../change-requests/waiting.tsx";
import { namedAlong, useAlong } from "../along.tsx";
import { definitionPath, KIND_SCREENS } from "../kinds/index.ts";
import { useAuthoring, useDraft } from "./authoring.tsx";
import { fixedInNames, fixedInWords, fixedLaterInNames } from "./fixed.ts";
import type { FormState, LoadedDefinition } from "./form-state.ts";

/** Definitions that are created together with the one in the form. */
export function AlongNotice({ one }: { one: string }) {
  const along = useAlong();
  if (along.length === 0) return null;
  const names = along.map((each) => `the ${KIND_SCREENS[each.kind].one} ${namedAlong(each).name} (${namedAlong(each).key})`);
  return (
    <Notice title={`Creating this ${one} also creates ${names.join(" and ")}.`}>
      Nothing is saved yet. Your backend has to send this key. If it sends another one already, go back and choose that one.
    </Notice>
  );
}

/** Warns in a form about a scheduled change: saving first makes that change a conflict. */
export function ScheduledNotice({ kind, definitionKey: key }: { kind: Kind; definitionKey: string }) {
  const { timeZone, href } = useWhere();
  const { data } = useRead(orpc.definitions.scheduled, { which: { kind, key } });
  const next = data?.changes.find(({ failure }) => failure === null);
  if (next === undefined) return null;
  return (
    <Notice
      tone="warn"
      title={`A change by ${next.by} is scheduled for ${instantInWords(next.at, timeZone)}.`}
      action={<SmallLink href={href(definitionPath(kind, key))}>View change</SmallLink>}
    >
      If you save now, the scheduled change will not run. You can apply it from Home.
    </Notice>
  );
}

/** Warns that a save changes a request, or that requests are waiting. */
export function RequestNotice({ form: { request, known } }: { form: FormState }) {
  const { href } = useWhere();
  const { kind } = useAuthoring();
  if (request === null) return known && <WaitingRequests kind={kind} definitionKey={known.key} />;
  return (
    <Notice title="You are editing a change request" action={<SmallLink href={href(`/requests/${request.id}`)}>View request</SmallLink>}>
      Live stays as it is. Your changes are saved in the request, which then needs another approval.
    </Notice>
  );
}

/** Loaded with the first conflict, since no other form needs to compare. */
const BothSides = lazily(() => import("./both-sides.tsx").then((loaded) => loaded.default));

/** Another user has saved the definition since it was loaded. */
export function Conflicted({ form }: { form: FormState }) {
  const { timeZone } = useWhere();
  const { conflict } = form;
  const notice = useRef<HTMLDivElement>(null);
  // It is often saved from far below.
  useEffect(() => {
    if (conflict !== null) notice.current?.focus();
  }, [conflict]);
  if (conflict === null) return null;
  const { by, at } = conflict;
  return (
    <Notice
      ref={notice}
      tabIndex={-1}
      tone="warn"
      title={`${by ?? "Another user"} changed this while you had it open${at === null ? "" : `, ${instantInWords(at, timeZone)}`}.`}
      action={
        <div className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => location.reload()}>
            Load their version
          </Button>
          <Button size="sm" variant="danger" onClick={() => void form.save({ overwrite: true, at: conflict.scheduled })}>
            Overwrite with mine
          </Button>
        </div>
      }
    >
      Your changes were not saved. Load their version and lose your changes, or overwrite it with yours.
      {form.known !== null && <BothSides key={at} form={form} at={at} />}
    </Notice>
  );
}

/** Notes which members cannot change later, and the workaround; for a new definition before it is created. */
export function FixedNotice({ known, isStartingOver }: { known: LoadedDefinition | null; isStartingOver: boolean }) {
  const { kind, store, isReadOnly } = useAuthoring();
  const draft = useDraft(store);
  const { one } = KIND_SCREENS[kind];
  if (isReadOnly) return null;
  if (isStartingOver) return <StartingOver kind={kind} known={known!} />;
  const later = known === null ? fixedLaterInNames(kind) : null;
  if (later !== null) {
    return (
      <p className="flex items-start gap-1.5 text-[0.8125rem] text-quiet">
        <Lock className="mt-0.5 size-3.5 shrink-0" />
        <span>
          Can&apos;t be changed once the {one} is created: {later}.
        </span>
      </p>
    );
  }
  const names = known === null ? null : fixedInNames(kind, fixedInWords(known.fixed), draft);
  return names === null ? null : <Fixed kind={kind} known={known!} names={names} />;
}

interface KnownProps {
  kind: Kind;
  known: LoadedDefinition;
}

function Fixed({ kind, known, names }: KnownProps & { names: string }) {
  const { href } = useWhere();
  const { one, path } = KIND_SCREENS[kind];
  const isUnmet = known.removal.allowed;
  return (
    <Notice
      tone="neutral"
      title={`Can't be changed: ${names}.`}
      action={
        isUnmet ? (
          <SmallLink href={`${href(definitionPath(kind, known.key))}/edit?start=over`}>Start over</SmallLink>
        ) : (
          <SmallLink href={href(`/${path}/new?from=${encodeURIComponent(known.key)}`)}>Duplicate under a new key</SmallLink>
        )
      }
    >
      {isUnmet
        ? "No players have joined and nothing depends on this. Start over to change everything except the key."
        : `Make a copy to change these, and switch this ${one} off.`}
    </Notice>
  );
}

function StartingOver({ kind, known }: KnownProps) {
  const { href } = useWhere();
  const { one } = KIND_SCREENS[kind];
  return (
    <Notice
      tone="warn"
      title="You are starting over"
      action={<SmallLink href={`${href(definitionPath(kind, known.key))}/edit`}>Keep the old one</SmallLink>}
    >
      Everything except the key can change. When you save, this {one} takes the place of the old one. Until then nothing is deleted.
    </Notice>
  );
}
