import type { IncomingMessage } from 'node:http';
import { Histogram } from 'prom-client';
import { uuidv7 } from '../id.ts';
import { type AccessLevel, AccessLog } from '../kit/access-log.ts';
import type { ServiceKit } from '../kit/kit.ts';

const acceptableRequestId = /^[A-Za-z0-9._-]{8,128}$/;
/** Routes polled by machines; excluded because they would dominate traces and logs. */
const operational = new Set(['/livez', '/readyz', '/internal/v1/revocations']);

/** Reports whether a route is polled by machines. */
export const isOperational = (route: string | undefined): boolean =>
  route !== undefined && operational.has(route);

/** Returns the caller's request id if it is valid, or a new one. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && acceptableRequestId.test(given) ? given : uuidv7();
}

/**
 * Returns a path without its query. Queries contain codes, tokens and names, so they are never logged or
 * traced.
 */
export function withoutQuery(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** Every 5xx is logged with its request id, also of routes polled by machines; 503 (try again) as a warning. */
function levelOf(status: number, route: string): AccessLevel {
  if (status < 500) return isOperational(route) ? 'trace' : 'info';
  return status === 503 ? 'warn' : 'error';
}

/** A completed request. */
export interface Answered {
  requestId: string;
  method: string;
  url: string;
  /** Pattern of the route, or `unmatched`. */
  route: string;
  status: number;
  elapsedMs: number;
}

/** Metrics and access log of a request, independent of how it was answered. */
export class Observation {
  readonly #log: AccessLog;
  readonly #duration: Histogram<'method' | 'route' | 'status'>;

  constructor(kit: ServiceKit) {
    this.#log = new AccessLog(kit.log);
    this.#duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Seconds from the first byte of a request to the last byte of its response',
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [kit.metrics],
    });
  }

  answered({ requestId, method, url, route, status, elapsedMs }: Answered): void {
    this.#duration.observe({ method, route, status }, Math.round(elapsedMs * 1000) / 1_000_000);
    const level = levelOf(status, route);
    if (!this.#log.isEnabled(level)) return;
    const ms = Math.round(elapsedMs * 10) / 10;
    this.#log.write(level, { requestId, method, path: withoutQuery(url), status, ms });
  }
}
