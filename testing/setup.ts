import { startService } from "./service.ts";

/**
 * A `globalSetup` for Playwright and vitest: starts a service with an embedded database for the whole run, and stops it afterwards. Its
 * address and a token for tests are passed to the workers in the environment. If ENGAGEMENT_URL and ENGAGEMENT_TOKEN are set, that service
 * is used, and none is started.
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
