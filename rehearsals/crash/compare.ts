import type { Database } from "../../db/client.ts";
import type { Environment } from "../../server/model/kernel/environment.ts";
import { type Account, balanceOf, type Oracle, completedBy, hasStreak, RARE_PER_PLAYER, RARE_STOCK, REWARDS } from "./oracle.ts";
import type { Customer } from "./customer.ts";
import type { Deliveries } from "./receiver.ts";

/** Compares the service with the oracle: a line per difference. No request may be running, and every accepted fact must be applied. */
export async function compareWithOracle({ sql }: Database, { id }: Environment, oracle: Oracle): Promise<string[]> {
  const accounts = [...oracle.accounts.values()];
  const events = await sql<{ id: string; key: string }[]>`
    select e.id, d.key from events e join definitions d on d.id = e.definition_id where e.environment_id = ${id}`;
  const logged = (key: string) => events.filter((event) => event.key === key).map((event) => event.id);
  const returns = differences("return", [...oracle.others], logged("order_returned"));
  const isReturnWrong = returns.some((line) => line.endsWith("lost")) || returns.length > oracle.unanswered;

  const completions = await sql<{ name: string; key: string }[]>`
    select concat_ws(' ', p.external_id, d.key, c.occurrence_number) as name, d.key from mission_completions c
    join players p on p.part = c.part and p.player_id = c.player_id join definitions d on d.id = c.mission_id
    where c.environment_id = ${id}`;
  const again = completions.filter(({ key }) => key === "again").map(({ name }) => name);
  const owed = await sql<{ key: string }[]>`
    select catalog_item_key as key from owed_items where environment_id = ${id} and source_type <> 'MarketplacePurchase'`;

  const balances = await sql<{ name: string }[]>`
    select concat_ws(' ', p.external_id, b.balance, b.total_spent) as name
    from players p join balances b on b.part = p.part and b.player_id = p.player_id where p.environment_id = ${id} and (b.balance <> 0 or b.total_spent <> 0)`;
  const roundsOf = (playerId: string) => again.filter((name) => name.startsWith(`${playerId} again `)).length;
  const tooMany = accounts.filter(({ playerId, orders }) => roundsOf(playerId) > orders / 3);

  const purchases = await sql<{ name: string; id: string; key: string; playerId: string }[]>`
    select b.id, p.external_id as player_id, concat_ws(' ', p.external_id, b.idempotency_key) as name, b.listing_key as key from marketplace_purchases b
    join players p on p.part = b.part and p.player_id = b.player_id where b.environment_id = ${id}`;
  const rounds = await sql<{ sold: number }[]>`select sold from marketplace_rounds where environment_id = ${id} and stock is not null`;
  const sold = rounds.reduce((sum, round) => sum + round.sold, 0);
  const rare = purchases.filter(({ key }) => key === "rare");
  const greedy = [...Map.groupBy(rare, ({ playerId }) => playerId)].filter(([, bought]) => bought.length > RARE_PER_PLAYER);

  const milestones = await sql<{ playerId: string }[]>`
    select p.external_id as player_id from points_transactions t join players p on p.part = t.part and p.player_id = t.player_id
    where t.environment_id = ${id} and t.source_type = 'StreakMilestone'`;

  return [
    ...oracle.contradictions,
    ...differences("order", [...oracle.orders.values()], logged("order_placed")),
    ...(isReturnWrong ? returns : []),
    ...differences(
      "completion",
      accounts.flatMap((one) => completedBy(one).map((key) => `${one.playerId} ${key} 0`)),
      completions.filter(({ key }) => key !== "again").map(({ name }) => name),
    ),
    ...differences(
      "owed item",
      [...completions.flatMap(({ key }) => REWARDS[key]!.items), ...milestones.map(() => "cup_colours")],
      owed.map(({ key }) => key),
    ),
    ...tooMany.map(({ playerId }) => `player ${playerId} has completed again ${roundsOf(playerId)} times`),
    ...differences(
      "balance",
      accounts
        .map((one) => ({ ...one, balance: balanceOf(one, roundsOf(one.playerId)) }))
        .filter(({ balance, spent }) => balance !== 0 || spent !== 0)
        .map(({ playerId, balance, spent }) => `${playerId} ${balance} ${spent}`),
      balances.map(({ name }) => name),
    ),
    ...differences(
      "purchase",
      [...oracle.purchases].map(([name, purchase]) => `${name} ${purchase}`),
      purchases.map((row) => `${row.name} ${row.id}`),
    ),
    ...(sold === rare.length && sold <= RARE_STOCK ? [] : [`${sold} of the rare item were counted as sold, and ${rare.length} were`]),
    ...greedy.map(([playerId, bought]) => `player ${playerId} has bought ${bought.length} of the rare item`),
    ...differences("milestone", onAStreak(accounts), milestones.map(({ playerId }) => playerId)), // oxfmt-ignore
  ];
}

const onAStreak = (accounts: Account[]): string[] => accounts.filter(hasStreak).map(({ playerId }) => playerId);

/** Compares the players' views with the oracle. `lastName` is the last name that product staff gave the mission `never`. */
export async function compareAnswers(reader: Customer, oracle: Oracle, lastName: string): Promise<string[]> {
  const found: string[] = [];
  for (const account of oracle.accounts.values()) {
    const { playerId, takesPart, orders, cents, drinks } = account;
    const get = async (path: string) => (await reader.say("GET", `${path}?PlayerId=${playerId}`)).json;
    const feed: any[] = takesPart ? (await reader.say("POST", "/v1/missions", { playerId, includeCompleted: true })).json : [];
    const rounds = feed.filter(({ missionKey, status }) => missionKey === "again" && status === "Completed");
    const balance = balanceOf(account, rounds.length);
    const amounts: number[] = (await get("/v1/points/transactions")).map(({ amount }: { amount: number }) => amount);
    const never = feed.find(({ missionKey }) => missionKey === "never");
    const shown = {
      rounds: rounds.map(({ occurrenceNumber }) => occurrenceNumber),
      points: await get("/v1/points"),
      sum: amounts.reduce((sum, amount) => sum + amount, 0),
      never: never && [never.name, ...never.objectives.map(({ progress }: any) => progress.actual.value)],
    };
    const expected = {
      rounds: [...rounds.keys()].reverse(),
      points: { balance, totalGranted: balance - account.adjusted + account.spent, totalSpent: account.spent },
      sum: balance,
      never: takesPart ? [lastName, orders, cents / 100, drinks.size] : undefined,
    };
    if (JSON.stringify(shown) !== JSON.stringify(expected))
      found.push(`player ${playerId} is shown ${JSON.stringify(shown)}, not ${JSON.stringify(expected)}`);
  }
  return found;
}

/** Compares the receiver's requests with the expected ones. Every delivery must have ended. */
export async function compareDeliveries({ sql }: Database, { id }: Environment, oracle: Oracle, deliveries: Deliveries): Promise<string[]> {
  const owed = await sql<{ about: string }[]>`
    select concat_ws(' ', 'catalog_item.fulfillment_requested', source_id, catalog_item_key) as about from owed_items where environment_id = ${id}
    union all
    select concat_ws(' ', 'mission.completed', occurrence_id) from mission_completions where environment_id = ${id}`;
  const reached = onAStreak([...oracle.accounts.values()]).map((playerId) => `streak.milestone_reached ${playerId} 4`);
  return [
    ...differences("deliveries", [...owed.map(({ about }) => about), ...reached], [...deliveries.keys()]),
    ...(new Set(deliveries.values()).size === deliveries.size ? [] : ["one delivery named two things"]),
  ];
}

/** Each of `expected` has to be found as often as it is listed, and nothing else. */
export function differences(what: string, expected: readonly string[], found: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of expected) counts.set(one, (counts.get(one) ?? 0) - 1);
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].flatMap(([one, count]) =>
    count === 0 ? [] : [`${what} ${one}: ${count < 0 ? `${-count} lost` : `${count} too many`}`],
  );
}
