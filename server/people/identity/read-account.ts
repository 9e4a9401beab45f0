import type { Database } from "#db/client.ts";
import { selectSessions, type SessionRow } from "./store/sessions.ts";
import { selectProviders, selectUser } from "./store/users.ts";

/** A person's own account. */
export interface Account {
  email: string;
  hasPassword: boolean;
  /** Providers that they have signed in with. */
  providers: string[];
  sessions: (SessionRow & { isCurrent: boolean })[];
}

export async function readAccount({ sql }: Database, person: { userId: string; sessionId: string }): Promise<Account> {
  const [user, providers, open] = await Promise.all([
    selectUser(sql, person.userId),
    selectProviders(sql, person.userId),
    selectSessions(sql, person.userId),
  ]);
  return {
    email: user?.email ?? "",
    hasPassword: user?.passwordHash != null,
    providers,
    sessions: open.map((session) => ({ ...session, isCurrent: session.id === person.sessionId })),
  };
}
