import { test as base } from "../service.ts";

interface Options {
  /** Whether polling intervals are limited to a second, to speed up a test. */
  looksOften: boolean;
}

/** Tests whose page is signed in as the first owner. */
export const test = base.extend<Options>({
  looksOften: [false, { option: true }],
  storageState: ({ ownerState }, use) => use(ownerState),
  page: async ({ page, ownerState, looksOften }, use) => {
    await page.context().addCookies(ownerState.cookies);
    const often = looksOften ? await page.addInitScript(lookOften) : null;
    await use(page);
    await often?.dispose();
  },
});

function lookOften(): void {
  const { setInterval } = globalThis;
  globalThis.setInterval = ((run: () => void, ms = 0) => setInterval(run, Math.min(ms, 1_000))) as typeof setInterval;
}
