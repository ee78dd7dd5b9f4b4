/**
 * Calls `over` after so many milliseconds, unless what is returned is called before. What has arrived by then is taken in first: a
 * process that stood still itself, for its garbage or on a machine without time, finds its timers due before it has looked at its
 * sockets, and must not take that for the silence of others.
 */
export function timeLimit(ms: number, over: () => void): () => void {
  let turn: NodeJS.Immediate | undefined;
  const timer = setTimeout(() => {
    turn = setImmediate(over);
  }, ms);
  return () => {
    clearTimeout(timer);
    clearImmediate(turn);
  };
}
