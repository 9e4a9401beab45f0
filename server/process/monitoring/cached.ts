/** Asks at most once in `keptMs`, however many want to know; those who come meanwhile wait for the same answer. A failure is an answer. */
export function cached<T>(ask: () => Promise<T>, keptMs: number): () => Promise<T> {
  let answer: Promise<T> | null = null;
  let askedAt = 0;
  return () => {
    if (answer === null || performance.now() - askedAt >= keptMs) {
      askedAt = performance.now();
      answer = ask();
    }
    return answer;
  };
}
