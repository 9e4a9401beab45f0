import { randomUUIDv7 } from "node:crypto";
import type { Database, Sql, Transaction } from "../db/client.ts";
import { transactionId } from "../server/model/marketplace/sale.ts";
import { derivedId, playerKey } from "../server/model/players/identity.ts";
import { alternate, HERE, turnsOf } from "./harness/alternate.ts";
import { eventDefinition } from "./harness/definitions.ts";
import { playerName } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { expectOk, requestOf, withConnections } from "./harness/http.ts";
import { CONNECTIONS } from "./harness/load.ts";
import { startService } from "./harness/process.ts";
import { makePlayers, makeProject, type Project } from "./harness/project.ts";
import { sized } from "./harness/size.ts";

const BUYERS = sized({ smoke: 1_000, usual: 50_000 });
const PURCHASES = sized({ smoke: 100, usual: 4_000 });
const PRICE = 5;
const FUNDS = 1_000_000;
const KEY = "voucher";
/** More than is ever sold, so that every purchase takes from the stock and none finds it empty. */
const STOCK = 1_000_000;
const CONTENTS = [{ catalogItemKey: "free_coffee", valueType: "Number", value: 1 }];
const NAME = { default: "en", texts: { en: "Voucher" } };

/** A purchase of a turn; every second one has an idempotency key. */
interface Order {
  player: string;
  key: string | null;
}

/** How much faster purchases in a single round trip are under contention. */
export const purchases: Figure = {
  name: "purchases",
  title: "purchases/s of one hot listing to SELECT … FOR UPDATE",
  better: "more",
  reach: 2.5,
  stretch: 4,
  async measure(context) {
    const open = async (name: string) => {
      const database = await context.server.create(name, { connections: CONNECTIONS });
      context.atEnd(database.close);
      return { database, project: await makeShop(database) };
    };
    const reference = await open("bench_purchases_by_hand");
    const ours = await open("bench_purchases");
    const service = await startService(context, ours.database.url);
    const measured = await alternate(
      context,
      "purchases/s",
      {
        name: "SELECT … FOR UPDATE from the driver",
        costs: { of: "a purchase", by: [HERE] },
        measure: async (turn) => ({ value: await byHand(reference.database, reference.project, ordersOf(turn)), done: PURCHASES }),
      },
      {
        name: "POST …/purchases",
        costs: { of: "a purchase", by: [service] },
        measure: async (turn) => ({ value: await overHttp(service.port, ours.database, ours.project, ordersOf(turn)), done: PURCHASES }),
      },
    );
    await expectBooks(context, "by hand", reference.database.sql);
    await expectBooks(context, "over HTTP", ours.database.sql);
    return measured;
  },
};

/** Makes buyers with points to spend, and the one listing that they all buy. */
async function makeShop(database: Database): Promise<Project> {
  const voucher = {
    key: KEY,
    name: "Voucher",
    priceInPoints: PRICE,
    stock: STOCK,
    limitPerPlayer: 1_000,
    contents: [{ catalogItem: "free_coffee", value: 1 }],
  };
  const project = await makeProject(database, "purchases", {
    events: [eventDefinition("order_placed")],
    catalogItems: [{ key: "free_coffee", name: "Free coffee", valueType: "Number" }],
    marketplaceItems: [voucher],
  });
  await makePlayers(database, project, BUYERS);
  await database.sql`
    insert into balances (part, player_id, balance, total_granted) select part, player_id, ${FUNDS}, ${FUNDS} from players`;
  await database.sql`vacuum (analyze)`;
  return project;
}

/** A turn's purchases, each by a different player, spread over all players. */
const ordersOf = (turn: number): Order[] =>
  Array.from({ length: PURCHASES }, (_, index) => ({
    player: playerName((index * 7_919 + (turn + 1) * 104_729) % BUYERS),
    key: index % 2 === 0 ? `turn ${turn}, order ${index}` : null,
  }));

async function overHttp(port: number, { sql }: Database, { key }: Project, orders: readonly Order[]): Promise<number> {
  const requests = orders.map(({ player, key: idempotencyKey }) =>
    requestOf("POST", `/v1/marketplace-items/${KEY}/purchases`, { key, body: JSON.stringify({ playerId: player, idempotencyKey }) }),
  );
  return timed(sql, () =>
    withConnections(port, CONNECTIONS, (open) =>
      inTurns(open, requests, async (connection, request) => void expectOk(await connection.request(request))),
    ),
  );
}

async function byHand({ sql }: Database, { environment }: Project, orders: readonly Order[]): Promise<number> {
  const [listing] = await sql<{ id: number }[]>`select id from definitions where environment_id = ${environment.id} and key = ${KEY}`;
  await sql`insert into marketplace_rounds (listing_id, round, environment_id, sold, stock) values (${listing!.id}, '', ${environment.id}, 0, ${STOCK}) on conflict do nothing`;
  const lanes = Array.from({ length: CONNECTIONS }, () => sql);
  return timed(sql, () =>
    inTurns(lanes, orders, (pool, order) => pool.begin((tx) => buyByHand(tx, environment.id, listing!.id, order)) as Promise<void>),
  );
}

/** Runs all tasks: each lane takes the next task after finishing its last one. */
async function inTurns<Lane, Task>(
  lanes: readonly Lane[],
  tasks: readonly Task[],
  run: (lane: Lane, task: Task) => Promise<void>,
): Promise<void> {
  let next = 0;
  await Promise.all(
    lanes.map(async (lane) => {
      for (let task = tasks[next++]; task !== undefined; task = tasks[next++]) await run(lane, task);
    }),
  );
}

/** Purchases a second; throws unless all were made. */
async function timed(sql: Sql, buyAll: () => Promise<void>): Promise<number> {
  const before = await soldIn(sql);
  const started = performance.now();
  await buyAll();
  const tookMs = performance.now() - started;
  const sold = (await soldIn(sql)) - before;
  if (sold !== PURCHASES) throw new Error(`${sold} units were sold, not ${PURCHASES}.`);
  return (PURCHASES * 1000) / tookMs;
}

async function soldIn(sql: Sql): Promise<number> {
  const [row] = await sql<{ sold: number; bought: number }[]>`
    select coalesce((select sum(sold)::int from marketplace_rounds), 0) as sold, (select count(*) from marketplace_purchases) as bought`;
  if (row!.sold !== row!.bought) throw new Error(`${row!.sold} units were sold, but there are ${row!.bought} purchases.`);
  return row!.sold;
}

/** Checks that every purchase took a unit, a payment, an item and its key, and that no other player paid. */
async function expectBooks(context: Context, how: string, sql: Sql): Promise<void> {
  const [row] = await sql<Record<"sold" | "bought" | "keys" | "owed" | "paid" | "spent" | "missing" | "unlike", number>[]>`
    select (select sum(sold)::int from marketplace_rounds) as sold, (select count(*) from marketplace_purchases) as bought,
      (select count(distinct (player_id, idempotency_key)) from marketplace_purchases where idempotency_key is not null) as keys,
      (select count(*) from owed_items o join marketplace_purchases m on m.part = o.part and m.player_id = o.player_id and m.id = o.source_id) as owed,
      (select -sum(amount)::int from points_transactions where type = 'Spend') as paid, (select sum(total_spent)::int from balances) as spent,
      (select sum(${FUNDS} - balance)::int from balances) as missing,
      (select count(*) from balances b where b.total_spent <> (select coalesce(sum(price), 0) from marketplace_purchases m
        where m.part = b.part and m.player_id = b.player_id)) as unlike`;
  const made = turnsOf(context) * PURCHASES;
  const paid = made * PRICE;
  const expected = { sold: made, bought: made, keys: made / 2, owed: made, paid, spent: paid, missing: paid, unlike: 0 };
  context.outcome.equal(`the shop's books, ${how}`, { ...row! }, expected);
}

/** A purchase as a hand-written transaction, with the same checks and rows; it takes its locks first. */
async function buyByHand(tx: Transaction, environmentId: number, listingId: number, { player, key }: Order): Promise<void> {
  const { part, playerId } = playerKey(environmentId, player);
  const id = randomUUIDv7();
  const known = await tx`select from players where part = ${part} and player_id = ${playerId}`;
  const [held] = await tx<{ balance: number }[]>`
    select balance from balances where part = ${part} and player_id = ${playerId} for update`;
  const earlier =
    key === null
      ? []
      : await tx`select id from points_transactions where part = ${part} and player_id = ${playerId} and idempotency_key = ${key}`;
  const [round] = await tx<{ sold: number; stock: number }[]>`
    select sold, stock from marketplace_rounds where listing_id = ${listingId} and round = '' for update`;
  const [{ bought }] = (await tx`
    select count(*) as bought from marketplace_purchases
    where part = ${part} and player_id = ${playerId} and listing_id = ${listingId} and round = '' and reversed_at is null`) as [
    { bought: number },
  ];
  if (known.length === 0 || earlier.length > 0 || round!.sold >= round!.stock || bought >= 1_000 || held!.balance < PRICE)
    throw new Error("refused");
  const [{ seq }] = (await tx`select nextval('fact_seq') as seq`) as [{ seq: number }];
  await tx`
    insert into points_transactions
      (part, player_id, id, environment_id, seq, type, amount, source_type, source_id, idempotency_key, occurred_at)
    values (${part}, ${playerId}, ${transactionId("Spend", playerId, id)}, ${environmentId}, ${seq}, 'Spend', ${-PRICE}, 'MarketplacePurchase', ${id}, ${key}, now())`;
  await tx`
    update balances set balance = balance - ${PRICE}, total_spent = total_spent + ${PRICE} where part = ${part} and player_id = ${playerId}`;
  await tx`
    insert into marketplace_purchases
      (part, player_id, id, environment_id, seq, listing_id, listing_key, round, occurrence_number, name, contents, price, limit_per_player,
        idempotency_key, purchased_at)
    values (${part}, ${playerId}, ${id}, ${environmentId}, ${seq}, ${listingId}, ${KEY}, '', 0, ${JSON.stringify(NAME)}::text::json,
      ${JSON.stringify(CONTENTS)}::text::json, ${PRICE}, 1000, ${key}, now())`;
  await tx`
    insert into owed_items (part, player_id, id, environment_id, source_type, source_id, ordinal, catalog_item_key, value_type, value, owed_at)
    values (${part}, ${playerId}, ${derivedId("owedItem", id)}, ${environmentId}, 'MarketplacePurchase', ${id}, 0, 'free_coffee', 'Number', '1', now())`;
  await tx`update marketplace_rounds set sold = sold + 1 where listing_id = ${listingId} and round = ''`;
}
