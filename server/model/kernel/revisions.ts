/** What a save changes, null for a new one, and its revision as the author read it; null overwrites any. */
export interface Edited {
  id: string | null;
  revision: number | null;
}

/** The problem of a save whose author has not seen a later change; none if there is no such change. */
export const changedSince = (noun: string, { revision }: Pick<Edited, "revision">, before: { revision: number } | null) =>
  before === null || revision === null || revision === before.revision
    ? []
    : [{ pointer: "", message: `This ${noun} has changed since you opened it. Nothing was saved. Close this dialog and edit it again.` }];
