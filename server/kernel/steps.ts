/** A long piece of work: whoever runs it may do something else between two steps. */
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

/** Takes all steps of a piece of work at once. */
export function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
