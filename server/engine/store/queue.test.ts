import { expect, test } from "vitest";
import { testDatabase, testProject } from "#db/testing.ts";
import { writeJson } from "../../model/kernel/json.ts";
import { fineLaneOf } from "../../model/kernel/lanes.ts";
import { playerKey } from "../../model/players/identity.ts";
import { claimFacts, claimOfPlayer } from "./queue.ts";
import { createPlayers } from "./players.ts";

test("claims give facts and their player back as they were stored, digit for digit", async () => {
  const database = await testDatabase();
  const { sql } = database;
  const { sandbox } = await testProject(database);
  const externalId = 'an "odd"\u001e\u001f, \\name\n☕';
  const { part, playerId } = playerKey(sandbox.id, externalId);
  const lane = fineLaneOf(part);
  const id = crypto.randomUUID();
  const [occurredAt, receivedAt] = [Date.UTC(1969, 11, 31, 23, 59, 59, 999), Date.UTC(2026, 5, 1, 12, 0, 0, 7)];
  await createPlayers(sql, [{ part, playerId, environmentId: sandbox.id, externalId, createdAt: receivedAt }]);
  await sql`update players set analytics_epoch = 3, last_active_on = '2026-05-31', hidden_at = now() where part = ${part} and player_id = ${playerId}`;
  const queue = () => sql`
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload, value)
    select ${lane}::smallint, ${sandbox.id}::int, seq, ${part}::smallint, ${playerId}::uuid, kind, ${id}::uuid, 7,
      ${occurredAt}::timestamptz, ${receivedAt}::timestamptz, payload::json, value::json
    from (values
      (3, 'streakPeriod', '{"start": "2026-06-01"}', null),
      (1, 'quietEvent', null, '-12345678901234567.250'),
      (2, 'event', '{"amount": 0.30000000000000004, "count": 12345678901234567890, "text": "\\u001e\\u001f,\\"]☕", "none": null}', null)
    ) f(seq, kind, payload, value)`;
  // Exact numbers are compared as they are written.
  const written = [
    `{"part":${part},"playerId":"${playerId}","kind":"event","seq":1,"id":"${id}","definitionId":7,"occurredAt":-1,"receivedAt":${receivedAt},"properties":{},"value":-12345678901234567.25,"isQuiet":true}`,
    `{"part":${part},"playerId":"${playerId}","kind":"event","seq":2,"id":"${id}","definitionId":7,"occurredAt":-1,"receivedAt":${receivedAt},"properties":{"amount":0.30000000000000004,"count":12345678901234567890,"text":"\\u001e\\u001f,\\"]☕","none":null},"value":null}`,
    `{"part":${part},"playerId":"${playerId}","kind":"streakPeriod","seq":3,"receivedAt":${receivedAt},"streakId":7,"start":"2026-06-01"}`,
  ];

  await queue();
  const claim = await sql.begin((tx) => claimFacts(tx, [lane], sandbox.id, 10));
  expect(claim.facts.map(writeJson)).toEqual(written);
  const rest = { timeZone: null, completed: "", isHidden: true, analyticsEpoch: 3, lastActiveOn: "2026-05-31" };
  expect(claim.players).toEqual([{ part, playerId, externalId, ...rest }]);
  expect(await sql.begin((tx) => claimFacts(tx, [lane], sandbox.id, 10))).toEqual({ facts: [], players: [], isFull: false });

  await queue();
  const { facts } = await sql.begin((tx) => claimOfPlayer(tx, { part, playerId }, 10));
  expect(facts.map(writeJson)).toEqual(written);
});

test("a claim ends with the fact that fills its bytes, and says that more may wait, however well payloads compress", async () => {
  const database = await testDatabase();
  const { sql } = database;
  const { sandbox } = await testProject(database);
  const { part, playerId } = playerKey(sandbox.id, "ann");
  const lane = fineLaneOf(part);
  await createPlayers(sql, [{ part, playerId, environmentId: sandbox.id, externalId: "ann", createdAt: 0 }]);
  const queue = () => sql`
    insert into queued_facts (lane, environment_id, seq, part, player_id, kind, source_id, definition_id, occurred_at, received_at, payload)
    select ${lane}::smallint, ${sandbox.id}::int, seq, ${part}::smallint, ${playerId}::uuid, 'event', gen_random_uuid(), 7, now(), now(),
      json_build_object('receipt', repeat('a', 3000000)) from generate_series(1, 7) seq`;
  const seqs = ({ facts }: { facts: { seq: number }[] }) => facts.map(({ seq }) => seq);

  await queue();
  for (const [first, last] of [
    [1, 3],
    [4, 6],
    [7, 7],
  ] as const) {
    const claim = await sql.begin((tx) => claimFacts(tx, [lane], sandbox.id, 500));
    expect([seqs(claim).at(0), seqs(claim).at(-1), claim.isFull]).toEqual([first, last, last < 7]);
  }
  await queue();
  for (const [first, last] of [
    [1, 3],
    [4, 6],
    [7, 7],
  ] as const) {
    const claim = await sql.begin((tx) => claimOfPlayer(tx, { part, playerId }, 500));
    expect([seqs(claim).at(0), seqs(claim).at(-1), claim.isFull]).toEqual([first, last, last < 7]);
  }
});
