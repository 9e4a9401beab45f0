import { environmentPage } from "#web/client/server.tsx";
import { PLAYERS, playersInput } from "#web/players/inputs.ts";
import { PlayerList } from "#web/players/player-list.tsx";

export const metadata = { title: "Players" };

export default environmentPage(
  (orpc, scope, { q }) => [orpc.players.list.queryOptions({ input: playersInput(scope, q, null) })],
  PlayerList,
  PLAYERS,
);
