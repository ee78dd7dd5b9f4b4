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

/** Settles as the work does. @throws Error on timeout; the work may still succeed */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const inTime = timeLimit(ms, () => late.reject(new Error(`No answer within ${ms} ms`)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    inTime();
  }
}
