import microdiff from "microdiff";
import { type Database, transact } from "#db/client.ts";
import { recordChange } from "../audit-log/record.ts";
import { type Environment, type Actor, highest, type Role } from "#server/model/kernel/environment.ts";
import { isMailedByDefault, NOTICE_KINDS, type NoticeKind } from "#server/model/notices/kinds.ts";
import { selectChoices, upsertChoice } from "./store/mails.ts";

/** Writes a notice, in the transaction of its cause: for all members, for those who approve changes to Live, or for these people. */
export { insertNotice as note, noteApprovers, notePeople, type RequestNotice } from "./store/notices.ts";

/** The kinds of mail that a person gets from a project. */
export interface ProjectChoice {
  slug: string;
  name: string;
  role: Role;
  mailed: NoticeKind[];
}

/** The kinds of mail that a person gets from each of their projects. */
export async function readChoices({ sql }: Database, userId: string): Promise<ProjectChoice[]> {
  const rows = await selectChoices(sql, userId);
  return rows.map(({ slug, name, roles, chosen }) => {
    const role = highest(roles as Role[]) ?? "Viewer";
    const choice = new Map(chosen.map(({ kind, isOn }) => [kind, isOn]));
    return { slug, name, role, mailed: NOTICE_KINDS.filter((kind) => choice.get(kind) ?? isMailedByDefault(role, kind)) };
  });
}

/** Turns a person's mails about a kind in a project on or off. */
export const chooseMails = (
  database: Database,
  { projectId }: Pick<Environment, "projectId">,
  userId: string,
  kind: NoticeKind,
  isOn: boolean,
  actor: Actor,
): Promise<void> =>
  transact(database, async (tx) => {
    if (!(await upsertChoice(tx, userId, projectId, kind, isOn))) return;
    const about = { action: "update", subjectKind: "notification", subjectKey: kind, difference: microdiff({}, { mail: isOn }) };
    await recordChange(tx, { projectId, environmentId: null, actor, ...about });
  });
