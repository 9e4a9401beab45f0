import { test as base } from "@playwright/test";
import { type OwnService, startService } from "../testing/service.ts";

/** The service as `npm start` runs it, with a database of its own; in what it printed are the owner's sign-in and the Sandbox key. */
export type Service = OwnService;

/** A first start builds the pages. */
const PATIENCE_MS = 480_000;

/** The user who signs in to it. */
export const OWNER = { email: "owner@example.com", password: "correct horse battery staple" };

/** Tests in a browser against a service that was really started; one for all tests of a worker. */
export const test = base.extend<object, { service: Service }>({
  service: [
    async ({}, use) => {
      // The longer history keeps the worker busy for half a minute, and no test looks at it.
      const settings = { OWNER_EMAIL: OWNER.email, OWNER_PASSWORD: OWNER.password, DEMO: "short" };
      const service = await startService({ pages: true, isShown: true, settings, timeoutMs: PATIENCE_MS });
      await use(service);
      await service.stop();
    },
    { scope: "worker", timeout: PATIENCE_MS + 20_000 },
  ],
  baseURL: ({ service }, use) => use(service.url),
});
