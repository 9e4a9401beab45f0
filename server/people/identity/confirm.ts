import { type Database, selectNow, transact } from "#db/client.ts";
import type { FieldProblem } from "../../model/kernel/problem.ts";
import type { SecretCipher } from "../../model/webhooks/secret-cipher.ts";
import { passwordProblemOf, proofProblem } from "./change-password.ts";
import { codeProblem, recordRecoveryCode, takeCode } from "./second-factor.ts";
import { selectFactor } from "./store/second-factors.ts";
import { updateProof } from "./store/sessions.ts";
import { selectUser } from "./store/users.ts";

/**
 * Checks that a person proves their identity again: by a code if they have a second factor, else by their password. Returns problems by
 * field.
 */
export async function confirmIdentity(
  database: Database,
  cipher: SecretCipher,
  { userId, sessionId, email }: { userId: string; sessionId: string; email: string },
  { password = "", code = "" }: { password?: string; code?: string },
): Promise<FieldProblem[]> {
  const [user, factor] = await Promise.all([selectUser(database.sql, userId), selectFactor(database.sql, userId)]);
  const passwordHash = user?.passwordHash ?? null;
  const hasFactor = factor?.confirmedAt != null;
  const pointer = hasFactor ? "#/code" : "#/password";
  if (!hasFactor && passwordHash === null) return [{ pointer, message: "You have no password here. Sign in again with your provider." }];
  const message = await proofProblem(database, userId, (attempt) =>
    hasFactor
      ? transact(database, async (tx) => {
          const taken = await takeCode(tx, cipher, userId, code, await selectNow(tx));
          if (taken === "recovery") await recordRecoveryCode(tx, { userId, email });
          return taken === "wrong" || taken === "unreadable" ? codeProblem(taken) : null;
        })
      : passwordProblemOf(attempt, password, passwordHash!),
  );
  if (message !== null) return [{ pointer, message }];
  await updateProof(database.sql, sessionId);
  return [];
}
