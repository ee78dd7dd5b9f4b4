/**
 * Calls `over` after a timeout unless the returned function is called first. Received data is processed
 * first: after a pause of the process itself (garbage collection, an overloaded machine), timers are due
 * before sockets are read, and the peer must not be considered silent.
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
