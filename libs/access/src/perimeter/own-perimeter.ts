import type { IncomingMessage } from 'node:http';
import { cameThroughProxy, insideBy, type Neighbours, type Perimeter, wasForwarded } from '@ostiary/service';
import { noRoute, objectionTo, type Refusal, refuse } from './refusal.ts';
import { isPlain, type PublicService, routeOf } from './route.ts';

export interface OwnPerimeterOptions {
  /** Service with these routes. The directory has no public ones. */
  service: PublicService | 'directory';
  /** Maximum size of a request body in bytes. */
  bodyLimit: number;
  /** Verifies that a request comes from an Ostiary process. */
  neighbours?: Neighbours | undefined;
}

/**
 * Reports whether a request may come from a process of 0.2.0, which sends `X-Forwarded-For` without a proof.
 * Its token or secret is verified later; only the graph accepts requests without one.
 */
const isAskedByNeighbours = ({ url = '', headers }: IncomingMessage): boolean =>
  /^\/graphql(?:\?|$)/.test(url) ||
  (headers.authorization !== undefined && /^\/(?:internal\/|t\/platform\/token$)/.test(url));

/**
 * Returns the perimeter of a service that an ingress may reach without the gateway: requests through a proxy
 * are checked by the gateway's rules before routing, with the same rejections. Ostiary processes prove that
 * they are internal.
 */
export function ownPerimeter({ service, bodyLimit, neighbours }: OwnPerimeterOptions): Perimeter {
  const isInside = insideBy(neighbours);
  const isOutside = (request: IncomingMessage): boolean => {
    if (!wasForwarded(request) || isInside(request)) return false;
    return cameThroughProxy(request) || !isAskedByNeighbours(request);
  };
  const refusalOf = (request: IncomingMessage): Refusal | undefined => {
    const { url = '' } = request;
    if (!isPlain(url)) {
      const route = routeOf(url);
      if (typeof route === 'string') return noRoute(url, route);
      if (route.service !== service) return noRoute(url, 'unknown');
      // An impossible resource id is replaced by an id that no resource has.
      request.url = route.target;
    }
    return objectionTo(request, bodyLimit);
  };
  return (request) => {
    const refusal = isOutside(request) ? refusalOf(request) : undefined;
    return refusal && ((exchange) => refuse(exchange, refusal));
  };
}
