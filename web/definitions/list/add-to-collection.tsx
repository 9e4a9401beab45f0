import { useState } from "react";
import type { Kind } from "#server/model/definitions/contract.ts";
import { formatted, plural } from "#server/model/kernel/thousands.ts";
import { orpc, requestMadeBy, rpc, useAttempt, useRead, useWhere } from "../../client/service.tsx";
import { Button, LinkButton } from "../../components/button.tsx";
import { Dialog } from "../../components/overlay.tsx";
import { Loaded } from "../../components/problems.tsx";
import { EmptyState, Notice } from "../../components/surface.tsx";
import { useToast } from "../../components/toast.tsx";
import { sentenceOf } from "../document/form-words.ts";
import { KIND_SCREENS } from "../kinds/index.ts";

interface AddToCollectionProps {
  collections: Collections;
  keys: readonly string[];
  onClose(): void;
  onAdded(): void;
}

/** Selects the collection to append the selected definitions to. */
export function AddToCollection({ collections: { kind, member }, keys, onClose, onAdded }: AddToCollectionProps) {
  const { scope, href } = useWhere();
  const { one, many, path } = KIND_SCREENS[kind];
  const attempt = useAttempt(orpc.definitions.key());
  const toast = useToast();
  const [problem, setProblem] = useState<string>();
  const [pending, setPending] = useState<string | null>(null);
  const list = useRead(orpc.definitions.list, { kind, sort: "name", direction: "ascending", limit: 200 });

  const finish = () => {
    onAdded();
    onClose();
  };

  async function addTo(key: string, name: string): Promise<void> {
    setPending(key);
    setProblem(undefined);
    const failure = `Nothing was added to ${name}`;
    await attempt(failure, async () => {
      const { document, revision } = await rpc.definitions.get({ ...scope, kind, key });
      const changed = withMembers(JSON.parse(document) as Record<string, unknown>, member, keys);
      if (changed.added > 0) {
        const input = { ...scope, kind, document: JSON.stringify(changed.document), isNew: false, revision };
        const { problems } = await rpc.definitions.save(input);
        if (problems.length > 0) return setProblem(problems.map(sentenceOf).join(" "));
      }
      toast({ title: changed.added > 0 ? `${changed.added} added to ${name}` : `${name} already has all of them` });
      finish();
    }).catch((error: unknown) => requestMadeBy(error) !== null && finish());
    setPending(null);
  }

  return (
    <Dialog
      open
      isPending={pending !== null}
      onOpenChange={(open) => !open && onClose()}
      title={`Add ${plural(keys.length, "selected item")} to a collection`}
      description="They are added at the end. Items already in it stay in place."
    >
      {problem !== undefined && (
        <Notice tone="bad" className="mb-3">
          {problem}
        </Notice>
      )}
      <Loaded of={list} what={many} className="h-24">
        {({ rows, total }) =>
          rows.length === 0 ? (
            <EmptyState title={`No ${many.toLowerCase()} yet`} action={<LinkButton href={href(`/${path}/new`)}>New {one}</LinkButton>} />
          ) : (
            <>
              <ul className="flex flex-col gap-1.5">
                {rows.map(({ key, name, summary }) => (
                  <li key={key} className="flex items-center gap-3 rounded-lg border border-line px-3 py-2">
                    <span className="min-w-0 flex-1 truncate">{name}</span>
                    <span className="text-xs text-quiet tabular-nums">{String(summary.members)}</span>
                    <Button
                      size="sm"
                      isPending={pending === key}
                      disabled={pending !== null && pending !== key}
                      onClick={() => void addTo(key, name)}
                    >
                      Add<span className="sr-only"> to {name}</span>
                    </Button>
                  </li>
                ))}
              </ul>
              {total > rows.length && (
                <p className="mt-3 text-xs text-quiet">
                  The first {rows.length} of {formatted(total)} by name. Add to another one on its own page.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Dialog>
  );
}

/** The collection kind that holds definitions of a kind, and its member list. */
interface Collections {
  kind: "missionCollections" | "marketplaceCollections";
  member: "missions" | "items";
}

/** Null if no collection holds that kind. */
export function collectionsOf(kind: Kind): Collections | null {
  if (kind === "missions") return { kind: "missionCollections", member: "missions" };
  return kind === "marketplaceItems" ? { kind: "marketplaceCollections", member: "items" } : null;
}

/** A collection's document with members appended; existing ones keep their order. */
export function withMembers(document: Record<string, unknown>, member: Collections["member"], keys: readonly string[]) {
  const known = (document[member] as string[] | undefined) ?? [];
  const added = keys.filter((key) => !known.includes(key));
  return { document: { ...document, [member]: [...known, ...added] }, added: added.length };
}
