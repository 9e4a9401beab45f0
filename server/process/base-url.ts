import { readSettings } from "./settings.ts";

/** The public address of the service (BASE_URL), for pages that show requests to it. */
export const publicAddress = (): string => readSettings().baseUrl;
