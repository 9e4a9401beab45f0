export { loadScoresOf } from "../store/scored.ts";
