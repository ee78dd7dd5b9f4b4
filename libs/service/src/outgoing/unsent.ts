/**
 * Reports whether a request was not sent because no connection could be made, such as to a process that has
 * just ended but that a load balancer still lists. Such a request may be retried even if it is not
 * idempotent.
 */
export function isUnsent(error: unknown): boolean {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  return syscall === 'connect' || code === 'ECONNREFUSED';
}
