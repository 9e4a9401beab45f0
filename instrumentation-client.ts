import { headFor } from "./web/client/leaving.ts";

/** Next calls this when a link, a script or Back begins to open a page. */
export const onRouterTransitionStart = headFor;
