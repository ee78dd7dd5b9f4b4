/**
 * Whether a request never left: the connection for it could not be made, as a process was just ended that a balancer still knew. Whatever it
 * was to change, it may be sent again; the next connection leads to another process.
 */
export function isUnsent(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === 'connect' || code === 'ECONNREFUSED';
}
