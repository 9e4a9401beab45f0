export { type Finish, finishesBelow, selectPeriodsOf } from "../store/history.ts";
