import { DEFAULT_LANES } from "../server/model/kernel/lanes.ts";
import { alternate, HERE, turnsOf } from "./harness/alternate.ts";
import { eventDefinition, missionsOn } from "./harness/definitions.ts";
import { BATCH, makeBatches } from "./harness/events.ts";
import type { Context, Figure } from "./harness/figure.ts";
import { startService } from "./harness/process.ts";
import { enterEveryone, makePlayers, makeProject } from "./harness/project.ts";
import { eventsIn, expectNothingLeft } from "./harness/recount.ts";
import { sized } from "./harness/size.ts";
import { enqueue, workOff } from "./slices.ts";

const PLAYERS = sized({ smoke: 200, usual: 2_000 });
const NAMING = 20;
const OTHERS = sized({ smoke: 80, usual: 980 });
/** Missions that name one of the other events. */
const MISSIONS_PER_OTHER_EVENT = 20;
const BATCHES = sized({ smoke: 1, usual: 40 });

/** Whether the cost of an event depends only on the missions that count it, or on all of the player's missions. */
export const manyMissions: Figure = {
  name: "many-missions",
  title: "cost of an event, 1,000 active missions to 20",
  better: "less",
  reach: 1,
  stretch: 0.6,
  async measure(context) {
    const few = await openSide(context, "few", `${NAMING} missions`, 0);
    const many = await openSide(context, "many", `${NAMING + OTHERS} missions, ${NAMING} of them naming the event`, OTHERS);
    const measured = await alternate(context, "µs an event", few, many);
    for (const { name, database, project } of [few, many]) {
      context.outcome.equal(`events logged, ${name}`, await eventsIn(database.sql), turnsOf(context) * BATCHES * BATCH);
      await expectNothingLeft(context.outcome, database.sql);
      await context.outcome.audited(name, database, project.environment);
    }
    return measured;
  },
};

async function openSide(context: Context, slug: string, name: string, others: number) {
  const database = await context.server.create(`bench_${slug}`, { connections: DEFAULT_LANES });
  context.atEnd(database.close);
  const otherEvents = Array.from({ length: others / MISSIONS_PER_OTHER_EVENT }, (_, index) => `other_event_${index}`);
  const project = await makeProject(database, slug, {
    events: [eventDefinition("order_placed"), ...otherEvents.map(eventDefinition)],
    missions: [...missionsOn("order_placed", NAMING), ...otherEvents.flatMap((event) => missionsOn(event, MISSIONS_PER_OTHER_EVENT))],
  });
  await makePlayers(database, project, PLAYERS);
  const service = await startService(context, database.url, { worker: false });
  await enterEveryone(database, project, service.port);
  await service.stop();
  return {
    name,
    database,
    project,
    costs: { of: "an event", by: [HERE] },
    prepare: () => enqueue(database, project, makeBatches(BATCHES, { count: PLAYERS })),
    measure: async () => ({ value: 1_000_000 / (await workOff(context, database, BATCHES * BATCH)), done: BATCHES * BATCH }),
  };
}
