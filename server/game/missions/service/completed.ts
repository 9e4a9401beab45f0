import type { Database } from "#db/client.ts";
import type { Environment } from "#server/model/kernel/environment.ts";
import { playerKey } from "#server/model/players/identity.ts";
import { type CompletionCursor, type ListedCompletion, selectCompletionsBelow } from "#server/engine/store/missions.ts";
import { definitionsOf } from "#server/engine/definitions.ts";

export type { CompletionCursor };

/** A completed occurrence with the key of its mission; null if the mission was deleted. */
export type Completion = ListedCompletion & { mission: string | null };

/** A page of a player's completions, newest first; `next` is the cursor of the next page. Empty for an unknown player. Read-only. */
export async function completedOf(
  { sql }: Database,
  environment: Environment,
  externalId: string,
  below: CompletionCursor | null,
  limit: number,
): Promise<{ completions: Completion[]; next: CompletionCursor | null }> {
  const [{ missionsById }, rows] = await Promise.all([
    definitionsOf(sql, environment),
    selectCompletionsBelow(sql, playerKey(environment.id, externalId), below, limit + 1),
  ]);
  const completions = rows.slice(0, limit).map((row) => ({ ...row, mission: missionsById.get(row.missionId)?.key ?? null }));
  return { completions, next: rows.length > limit ? completions.at(-1)! : null };
}

export {
  missionsOfCompletions as missionsOfOccurrences,
  selectCompletionsBelow as completionsBelow,
} from "#server/engine/store/missions.ts";
