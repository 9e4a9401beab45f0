import { startService } from "./service.ts";

/**
 * A `globalSetup` for Playwright and for vitest alike: starts a service for the whole run, with an embedded database, and ends it after. Its
 * address and a token for tests go to the workers by the environment. Where ENGAGEMENT_URL and ENGAGEMENT_TOKEN are set, that service is
 * used, and nothing is started.
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (process.env["ENGAGEMENT_URL"] && process.env["ENGAGEMENT_TOKEN"]) return async () => {};
  const service = await startService();
  try {
    process.env["ENGAGEMENT_URL"] = service.url;
    process.env["ENGAGEMENT_TOKEN"] = await service.testToken();
  } catch (error) {
    await service.stop();
    throw error;
  }
  return async () => {
    delete process.env["ENGAGEMENT_URL"];
    delete process.env["ENGAGEMENT_TOKEN"];
    await service.stop();
  };
}
