import type { Server } from 'node:http';

/** Milliseconds for which an idle connection is kept. */
export const keepAliveMs = 65_000;

/**
 * Tells clients (Keep-Alive: timeout, RFC 2068 §19.7.1.1) to leave an idle connection after the time of a drain, although it is kept for longer.
 * Who does closes each connection itself, or hears in the drain that it will be closed: nobody sends a request on it just as the process
 * ends. Without a drain there is nothing to tell.
 */
export function announceKeepAlive(server: Server, drainSeconds: number): void {
  const announcedMs = drainSeconds * 1_000;
  if (announcedMs === 0 || announcedMs >= keepAliveMs) return;
  server.keepAliveTimeout = announcedMs;
  server.keepAliveTimeoutBuffer = keepAliveMs - announcedMs;
}
