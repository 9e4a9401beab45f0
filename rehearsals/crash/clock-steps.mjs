// Loaded before a program of the service, it puts the clock that the program sees forward or back by as many milliseconds as the file
// CLOCK_STEPS says, whenever that changes. The machine's clock stays, and so does the one that only counts (`performance.now()`), which
// no step moves in the real world either.
import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";

const Real = Date;
const file = process.env["CLOCK_STEPS"];
let step = 0;

const look = () => {
  try {
    step = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // The clock has not been changed yet.
  }
};
look();
setInterval(look, 50).unref();

// Node keeps what it has compiled when a process exits; these are killed.
setTimeout(flushCompileCache, 5_000).unref();

const now = () => Real.now() + step;
globalThis.Date = new Proxy(Real, {
  apply: () => new Real(now()).toString(),
  construct: (target, of, self) => Reflect.construct(target, of.length === 0 ? [now()] : of, self),
  get: (target, name, self) => (name === "now" ? now : Reflect.get(target, name, self)),
});
