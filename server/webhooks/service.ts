import { randomBytes } from "node:crypto";
import type { Database } from "../../db/client.ts";
import type { Environment } from "../kernel/environment.ts";
import { isPublicAddress, literalAddress } from "./addresses.ts";
import { type ClientOptions, resolveName } from "./client.ts";
import { privateAddressProblem, readDestination } from "./destination.ts";
import { ROTATION_OVERLAP_MS, SECRET_BYTES, writeSecret } from "./signature.ts";
import { deleteEndpointRow, type EndpointRow, insertEndpoint, replaceSecret, selectEndpoints } from "./store.ts";
import { EXCLUSIVE_EVENT, subscriptionProblems } from "./subscriptions.ts";

export type { WebhookNotification } from "./store.ts";
export * from "./deliveries.ts";
