import { z } from "zod";
import { decimal, endpoint, playerId, timestamp, unchecked } from "../../model/contract/v1.ts";
import type { ErrorCode } from "../../model/kernel/errors.ts";
import { isJsonObject } from "../../model/kernel/values.ts";
import { externalPlayerId, occurredAtUtc, playerTimeZoneId } from "../metrics/contract.ts";

const plainValue = z.union([z.string(), decimal, z.boolean()]);

const dated = z.object({
  value: plainValue,
  occurredAt: timestamp.nullish().meta({
    description: "From when it holds: RFC 3339 with an offset or Z, at most 24 hours ahead of the clock; now if left out.",
  }),
});

const writes = z.record(z.string(), z.union([plainValue, dated])).meta({
  description: "By attribute key: a value, or a value with the instant from which it holds.",
  examples: [{ tier: { value: "gold", occurredAt: "2026-01-31T09:00:00Z" }, age: 42 }],
});

/** The checks of a write that need no definitions. Problems of single values are reported together with them. */
export const writeShape = z.object({
  playerId,
  attributes: z.custom<Record<string, unknown>>(isJsonObject, "must be an object."),
});

/** A member that the procedure validates together with the others; null if omitted. */
const judged = (described: z.ZodType) => z.preprocess((given) => given ?? null, unchecked(described));

const REFUSES = [
  "player_attribute.not_found",
  "player_attribute.inactive",
  "player_attribute.type_mismatch",
  "player_attribute.value_out_of_range",
  "player_attribute.occurred_at_invalid",
] as const satisfies ErrorCode[];

export const attributesContract = {
  write: endpoint({
    method: "PUT",
    path: "/v1/attributes",
    operationId: "writeAttributes",
    tag: "Attributes",
    summary: "Set attributes of a player",
    description:
      "Sets attributes of a player: all of them or, if any is refused, none. The newer value wins by `occurredAt`; an older one is `Stale` and ignored.",
    answers: "The result for each value.",
    refuses: ["player.external_id_missing", "player.external_id_too_long", ...REFUSES],
  })
    .input(
      z.object({
        playerId: judged(playerId),
        attributes: judged(writes),
      }),
    )
    .output(
      z.object({
        results: z.record(z.string(), z.enum(["Changed", "Unchanged", "Stale"])).meta({
          description: "By attribute key. `Unchanged`: the same value again; it keeps the instant from which it holds.",
          examples: [{ tier: "Changed", age: "Unchanged" }],
        }),
      }),
    ),

  report: endpoint({
    method: "POST",
    path: "/v1/attribute-events",
    operationId: "sendAttributeEvent",
    tag: "Attributes",
    summary: "Set one attribute of a player",
    description: "Sets one attribute of a player as of an instant. The newer value wins; an older one is `Stale` and ignored.",
    answers: "The result.",
    refuses: REFUSES,
  })
    .input(
      z.object({
        externalPlayerId,
        attributeKey: z
          .string()
          .min(1)
          .meta({ description: "The attribute's key.", examples: ["tier"] }),
        value: judged(plainValue.meta({ examples: ["gold"] })),
        occurredAtUtc: occurredAtUtc({ invalid: "player_attribute.occurred_at_invalid", missing: "request.invalid" }),
        playerTimeZoneId,
      }),
    )
    .output(z.object({ result: z.enum(["Changed", "Unchanged", "Stale"]).meta({ examples: ["Changed"] }) })),

  read: endpoint({
    method: "GET",
    path: "/v1/attributes",
    operationId: "readAttributes",
    tag: "Attributes",
    summary: "Read the attributes of a player",
    description: "The attributes that the player has a value for; none for a player that the environment has never seen.",
    answers: "Values by attribute key.",
  })
    .input(z.object({ PlayerId: playerId }))
    .output(z.object({ attributes: z.record(z.string(), plainValue).meta({ examples: [{ tier: "gold", age: 42 }] }) })),
};
