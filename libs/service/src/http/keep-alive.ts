import type { Server } from 'node:http';

/** Timeout of an idle connection in milliseconds. */
export const keepAliveMs = 65_000;

/**
 * Announces the drain time as idle timeout (`Keep-Alive: timeout`, RFC 2068 §19.7.1.1), although connections
 * are kept longer. Clients that comply close idle connections themselves or receive Connection: close during
 * the drain, so no request is sent as the process ends. Without a drain nothing is announced.
 */
export function announceKeepAlive(server: Server, drainSeconds: number): void {
  const announcedMs = drainSeconds * 1_000;
  if (announcedMs === 0 || announcedMs >= keepAliveMs) return;
  server.keepAliveTimeout = announcedMs;
  server.keepAliveTimeoutBuffer = keepAliveMs - announcedMs;
}
