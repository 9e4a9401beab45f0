import { implement } from "@orpc/server";
import type { ApiContext } from "../context.ts";
import { bodyProblems } from "../problems.ts";
import { attributesContract, writeShape } from "../../game/attributes/contract.ts";
import { readAttributes, reportAttribute, writeAttributes } from "../../game/attributes/service.ts";

const api = implement(attributesContract).$context<ApiContext>();

export const attributesProcedures = {
  write: api.write.handler(async ({ input, context: { database, environment } }) => ({
    results: await writeAttributes(database, environment, input, bodyProblems(writeShape, input)),
  })),

  report: api.report.handler(async ({ input, context: { database, environment, now } }) => ({
    result: await reportAttribute(database, environment, now, {
      externalId: input.externalPlayerId,
      attributeKey: input.attributeKey,
      value: input.value,
      occurredAt: input.occurredAtUtc,
      timeZone: input.playerTimeZoneId ?? null,
    }),
  })),

  read: api.read.handler(async ({ input, context: { database, environment } }) => ({
    attributes: await readAttributes(database, environment, input.PlayerId),
  })),
};
