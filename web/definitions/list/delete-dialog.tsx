import type { Kind } from "#server/model/definitions/contract.ts";
import { useDefinitionVerbs } from "../definition-verbs.ts";
import { DELETION_IN_WORDS, keptBecause } from "../document/form-words.ts";
import { KIND_SCREENS } from "../kinds/index.ts";
import type { ListedDefinition } from "../kinds/columns.tsx";
import { orpc, useRead } from "../../client/service.tsx";
import { ConfirmDialog, type Opened } from "../../components/overlay.tsx";
import { ReadFailed } from "../../components/problems.tsx";
import { Skeleton } from "../../components/surface.tsx";

interface DeleteDialogProps extends Opened {
  kind: Kind;
  definition: ListedDefinition;
}

/** Confirms a deletion. Lists do not know whether it is allowed, so the dialog asks the service first. */
export function DeleteDialog({ kind, definition: { key, name }, open, onOpenChange }: DeleteDialogProps) {
  const { remove } = useDefinitionVerbs({ kind, key, name });
  const { data, error } = useRead(orpc.definitions.get, { kind, key }, { enabled: open, staleTime: 0 });
  const removal = data?.removal;
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={removal?.allowed === false ? `${name} cannot be deleted` : `Delete ${name}?`}
      confirmLabel={`Delete ${KIND_SCREENS[kind].one}`}
      isDanger
      isDisabled={removal === undefined}
      isRefused={removal?.allowed === false}
      onConfirm={remove}
    >
      <ReadFailed title="Could not check whether it can be deleted" error={error} />
      {removal === undefined && error === null && <Skeleton />}
      {removal?.allowed === true && <p>{DELETION_IN_WORDS}</p>}
      {removal && !removal.allowed && <p>{keptBecause(removal)}</p>}
    </ConfirmDialog>
  );
}
