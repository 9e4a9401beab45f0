/** A long piece of work: its runner may yield between two steps. */
export type Steps<Result> = Generator<void, Result>;

/** As `list.map(map)`, a step for each element. */
export function* mapInSteps<Element, Result>(list: Iterable<Element>, map: (element: Element) => Result): Steps<Result[]> {
  const mapped: Result[] = [];
  for (const element of list) {
    mapped.push(map(element));
    yield;
  }
  return mapped;
}

/** Splits a list into parts of limited length. */
export function* inParts<Element>(list: readonly Element[], most: number): Generator<readonly Element[], void> {
  for (let from = 0; from < list.length; from += most) yield list.slice(from, from + most);
}

/** Runs all steps of a piece of work without yielding. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
