import { hasBadText } from "../../model/kernel/json.ts";
import { scenario, tried } from "../../authoring/simulation/shapes.ts";
import { findAudience } from "../../authoring/simulation/service/audience.ts";
import { tryMembership } from "../../authoring/simulation/service/membership.ts";
import { PREVIEWS } from "../../authoring/simulation/service/previews.ts";
import { standingOf } from "../../authoring/simulation/service/standing.ts";
import { tryDefinition } from "../../authoring/simulation/service/trial.ts";
import { z } from "zod";
import { DEFINITION_BODY, forEnvironment } from "../access.ts";
import { inEnvironment } from "../../model/contract/rpc.ts";

export const simulationDashboardProcedures = {
  /** The effect of a definition on a player, by the rules that apply to real events. Nothing is written. */
  run: forEnvironment("Viewer", "costly", { largestBody: DEFINITION_BODY })(
    tried.extend({
      /** An external id; null: a new player without any activity. */
      player: z.string().max(200).nullable(),
      /** Points to have instead of the player's own; null: their own. */
      balance: z.int().min(0).nullable().default(null),
      scenario,
      /** Whether to treat the player as part of the audience. */
      ignoreAudience: z.boolean().default(false),
      asScenario: z.boolean().default(false),
    }),
    (input, { database, environment, now }) => tryDefinition(database, environment, now, input, PREVIEWS),
  ),
  /** Whether a player is in a segment now, and why. The segment is as the file has it, as JSON text. Nothing is written. */
  membership: forEnvironment("Viewer", "costly", { largestBody: DEFINITION_BODY })(
    inEnvironment.extend({ document: z.string().max(1_000_000), player: z.string().min(1).max(200) }),
    (input, { database, environment, now }) => tryMembership(database, environment, now, input),
  ),
  /** Why a player is in each active mission and each segment, or why not, as of now. Nothing is written; an unknown player is in none. */
  standing: forEnvironment("Viewer", "costly")(
    inEnvironment.extend({ externalId: z.string().min(1).max(400) }),
    async ({ externalId }, { database, environment, now }) => {
      const standing = hasBadText(externalId) ? null : await standingOf(database, environment, now, externalId);
      return standing ?? { missions: [], segments: [] };
    },
  ),
  /** A definition's present audience in this environment: counted over all players or, if there are very many, a fair sample. */
  audience: forEnvironment("Viewer", "preview", { largestBody: DEFINITION_BODY })(tried, (input, { database, environment, now }) =>
    findAudience(database, environment, now, input),
  ),
};
