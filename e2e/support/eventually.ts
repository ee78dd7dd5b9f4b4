/** Asks until the answer satisfies, for what other processes learn a moment later. Gives the last answer on failure. */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    if (performance.now() - start > withinMs) {
      throw new Error(`not so after ${withinMs} ms: ${JSON.stringify(answer)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
