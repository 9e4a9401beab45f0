import { type Column, column, instantColumn, numericColumn } from "../../components/table.tsx";
import { Instant } from "../../components/time.tsx";
import { type Delivery, DeliveryState } from "./delivery-state.tsx";

/** The columns of deliveries; those of a single endpoint leave it out. */
export const COLUMNS_OF_ENDPOINT: readonly Column<Delivery>[] = [
  column("Event", ({ event }) => event),
  column("Status", (delivery) => <DeliveryState delivery={delivery} />),
  column(
    "Last response",
    ({ lastStatus, lastError }) => <span className="block max-w-64 truncate">{lastStatus ?? lastError ?? "–"}</span>,
    "max-md:hidden",
  ),
  column("Player", ({ player }) => <span className="block max-w-48 truncate">{player ?? "–"}</span>, "max-sm:hidden"),
  numericColumn("Attempts", ({ attempts }) => attempts, "max-xl:hidden"),
  instantColumn("Created", ({ createdAt }) => createdAt),
  column(
    "Next attempt",
    ({ status, nextAttemptAt, isUnderWay }) => {
      if (isUnderWay) return "Now";
      if (status === "Held") return "When switched on";
      return nextAttemptAt === null ? "–" : <Instant value={nextAttemptAt} />;
    },
    "max-lg:hidden",
  ),
];

const ENDPOINT: Column<Delivery> = column(
  "Endpoint",
  ({ url }) => <span className="block max-w-44 truncate text-quiet">{url}</span>,
  "max-lg:hidden",
);

export const COLUMNS = COLUMNS_OF_ENDPOINT.toSpliced(4, 0, ENDPOINT);
