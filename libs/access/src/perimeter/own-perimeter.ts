import type { IncomingMessage } from 'node:http';
import {
  cameThroughProxy,
  type DirectRoute,
  type DirectSurface,
  insideBy,
  type Neighbours,
  wasForwarded,
} from '@ostiary/service';
import { noRoute, objectionTo, type Refusal, refuse } from './refusal.ts';
import { isPlain, type PublicService, routeOf } from './route.ts';

export interface OwnPerimeterOptions {
  /** The service whose routes these are. The directory has none that the outside may ask for. */
  service: PublicService | 'directory';
  /** Largest request body in bytes. */
  bodyLimit: number;
  /** Verifies that a request comes from a process of ours. */
  neighbours?: Neighbours | undefined;
}

/**
 * What processes of 0.2.0 ask each other for with `X-Forwarded-For` and without a proof. A token or secret is verified there; only the graph
 * is asked without one.
 */
const isAskedByNeighbours = ({ url = '', headers }: IncomingMessage): boolean =>
  /^\/graphql(?:\?|$)/.test(url) ||
  (headers.authorization !== undefined && /^\/(?:internal\/|t\/platform\/token$)/.test(url));

/**
 * The perimeter of a service that an ingress may lead to directly, past the gateway: what comes through a proxy is judged by the rules that
 * the gateway judges by, before the router sees it, and is refused in the same words. Our own processes prove that they are none.
 */
export function ownPerimeter({ service, bodyLimit, neighbours }: OwnPerimeterOptions): DirectSurface {
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
      // The id of a resource that none can be is asked for as one that nothing has.
      request.url = route.target;
    }
    return objectionTo(request, bodyLimit);
  };
  return {
    find(request): DirectRoute | undefined {
      const refusal = isOutside(request) ? refusalOf(request) : undefined;
      return refusal && { pattern: 'unmatched', answer: (exchange) => refuse(exchange, refusal) };
    },
  };
}
