/** Interval in ms between attempts to reach an unavailable engine. */
const lookEveryMs = 1_000;

/**
 * Checks an engine before the process starts. If it is unavailable, the process waits for it and checks it
 * later, because an unsupported engine would otherwise be used.
 * @param look returns whether the engine answered; throws if it is unsupported
 * @param refuse receives an error thrown after the start
 * @returns a function that stops the attempts
 */
export async function lookAtEngine(
  look: (begun: boolean) => Promise<boolean>,
  refuse: (error: unknown) => void,
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined;
  let isOver = await look(false);
  const again = (): void => {
    if (isOver) return;
    timer = setTimeout(() => {
      look(true).then((seen) => {
        isOver ||= seen;
        again();
      }, refuse);
    }, lookEveryMs).unref();
  };
  again();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
