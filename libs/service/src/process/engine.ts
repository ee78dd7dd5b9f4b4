/** How often an engine that was away is looked for, in ms. */
const lookEveryMs = 1_000;

/**
 * Looks at an engine before a process begins. One that is away may come, and the process waits for it; what has come is looked at then, as what
 * can't be worked with would be worked with otherwise.
 * @param look whether it was seen, and throws when it can't be worked with
 * @param refuse is given what was thrown after the beginning
 * @returns ends the looking
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
