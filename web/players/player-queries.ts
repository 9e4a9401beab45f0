import type { QueryKey } from "@tanstack/react-query";
import { orpc } from "../client/service.tsx";

/** All queries about a player: an action on one reads them again. */
export const PLAYER_QUERIES: readonly QueryKey[] = [orpc.players.key(), orpc.simulation.key(), orpc.marketplace.key()];
