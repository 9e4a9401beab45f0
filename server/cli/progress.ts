import { styledNote } from "./output.ts";

const QUIET_MS = 1_000;
const BACK_TO_THE_BEGINNING = "\r\u001b[K";

/** On a terminal, shows the elapsed time of work that takes more than a moment; the line disappears at the end. */
export async function withProgress<T>(work: Promise<T>): Promise<T> {
  const { stderr } = process;
  if (!stderr.isTTY) return work;
  const began = performance.now();
  let isShown = false;
  const timer = setInterval(() => {
    isShown = true;
    stderr.write(`${BACK_TO_THE_BEGINNING}${styledNote("dim", `Working … ${Math.round((performance.now() - began) / 1000)} s`)}`);
  }, QUIET_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    if (isShown) stderr.write(BACK_TO_THE_BEGINNING);
  }
}
