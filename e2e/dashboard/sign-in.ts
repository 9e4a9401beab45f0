import { test as base } from "../service.ts";

/** Tests whose page is signed in as the first owner. */
export const test = base.extend({
  storageState: ({ ownerState }, use) => use(ownerState),
});
