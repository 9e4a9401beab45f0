import type { Transaction } from "#db/client.ts";

/** The shop's part of the integrity check: a line for each violation. */
export async function checkShop(tx: Transaction, environmentId: number): Promise<string[]> {
  return [
    ...(await rounds(tx, environmentId)),
    ...(await limits(tx, environmentId)),
    ...(await payments(tx, environmentId)),
    ...(await strayPayments(tx, environmentId)),
    ...(await handedOver(tx, environmentId)),
  ];
}

/** A period's units sold equal its unreversed purchases, and do not exceed the stock at its last sale; the stock may be lower by now. */
async function rounds(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ key: string; round: string; sold: number; count: number; stock: number | null }[]>`
    select coalesce(d.key, '?') as key, round, coalesce(r.sold, 0) as sold, coalesce(p.count, 0) as count, r.stock
    from (select listing_id, round, sold, stock from marketplace_rounds where environment_id = ${environmentId}) r
    full join (
      select listing_id, round, count(*) from marketplace_purchases
      where environment_id = ${environmentId} and reversed_at is null group by 1, 2
    ) p using (listing_id, round)
    left join definitions d on d.id = listing_id
    where coalesce(r.sold, 0) <> coalesce(p.count, 0) or r.sold > r.stock`;
  return rows.map(
    ({ key, round, sold, count, stock }) =>
      `${nameOf(key, round)}: ${sold} units sold of ${stock ?? "any number"}, but there are ${count} purchases that were not reversed`,
  );
}

/** Reversals only free up quota, so after the last purchase in order no player exceeded the limit of that time. */
async function limits(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ externalId: string; key: string; round: string; bought: number; limit: number }[]>`
    select p.external_id, b.key, b.round, b.bought, b."limit"
    from (
      select part, player_id, listing_key as key, round, count(*) filter (where reversed_at is null) as bought,
        (array_agg(limit_per_player order by seq desc))[1] as "limit"
      from marketplace_purchases where environment_id = ${environmentId} group by part, player_id, listing_id, listing_key, round
    ) b
    left join players p on p.part = b.part and p.player_id = b.player_id
    where b.bought > b."limit"`;
  return rows.map(
    ({ externalId, key, round, bought, limit }) => `player "${externalId}": ${bought} of ${nameOf(key, round)}, over the limit of ${limit}`,
  );
}

/** Every purchase is in the ledger with its price and key, and every reversal with its refund; nothing else is. */
async function payments(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ id: string; type: string; price: number }[]>`
    select p.id, t.type, p.price
    from marketplace_purchases p cross join (values ('Spend', -1), ('Refund', 1)) as t(type, sign)
    where p.environment_id = ${environmentId} and (
      select count(*) filter (where l.amount = p.price * t.sign and (t.type = 'Refund' or l.idempotency_key is not distinct from p.idempotency_key))
        <> case when t.type = 'Refund' and p.reversed_at is null then 0 else 1 end
      from points_transactions l
      where l.part = p.part and l.player_id = p.player_id and l.source_type = 'MarketplacePurchase' and l.source_id = p.id and l.type = t.type
    )`;
  return rows.map(({ id, type, price }) => `purchase ${id}: the ledger's ${type} of ${price} points is not as it should be`);
}

async function strayPayments(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ id: string; type: string }[]>`
    select l.id, l.type from points_transactions l
    left join marketplace_purchases p on p.part = l.part and p.player_id = l.player_id and p.id = l.source_id
    where l.environment_id = ${environmentId} and (l.type in ('Spend', 'Refund') or l.source_type = 'MarketplacePurchase')
      and (p.id is null or l.type not in ('Spend', 'Refund') or l.source_type is distinct from 'MarketplacePurchase')`;
  return rows.map(({ id, type }) => `transaction ${id} (${type}): there is no such purchase`);
}

/** A purchase creates each of its owed items once, and no others. */
async function handedOver(tx: Transaction, environmentId: number): Promise<string[]> {
  const rows = await tx<{ sourceId: string; ordinal: number; isOwed: boolean }[]>`
    select coalesce(c.id, o.source_id) as source_id, coalesce(c.ordinal, o.ordinal) as ordinal, o.source_id is not null as is_owed
    from (
      select p.part, p.player_id, p.id, e.ordinal - 1 as ordinal, e.content
      from marketplace_purchases p cross join lateral json_array_elements(p.contents) with ordinality as e(content, ordinal)
      where p.environment_id = ${environmentId}
    ) c
    full join (
      select * from owed_items where environment_id = ${environmentId} and source_type = 'MarketplacePurchase'
    ) o on o.part = c.part and o.player_id = c.player_id and o.source_id = c.id and o.ordinal = c.ordinal
      and o.catalog_item_key = c.content ->> 'catalogItemKey' and o.value_type = c.content ->> 'valueType' and o.value::text = (c.content -> 'value')::text
    where c.id is null or o.id is null`;
  return rows.map(({ sourceId, ordinal, isOwed }) =>
    isOwed
      ? `item ${ordinal} of purchase ${sourceId} is owed, but not by what was bought`
      : `purchase ${sourceId}: its item ${ordinal} is not owed`,
  );
}

const nameOf = (key: string, round: string): string => (round === "" ? `listing ${key}` : `listing ${key}, round ${round}`);
