export { selectChangesOf as changesOfSubject } from "./store.ts";
