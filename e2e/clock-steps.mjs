// Preloaded by a service's program: shifts the clock that it sees by the milliseconds in the file that CLOCK_STEPS names, whenever that
// changes. The machine's clock is unchanged, and so is the monotonic one (`performance.now()`), as with a real step of the clock.
import { readFileSync } from "node:fs";

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

const now = () => Real.now() + step;
globalThis.Date = new Proxy(Real, {
  apply: () => new Real(now()).toString(),
  construct: (target, of, self) => Reflect.construct(target, of.length === 0 ? [now()] : of, self),
  get: (target, name, self) => (name === "now" ? now : Reflect.get(target, name, self)),
});
