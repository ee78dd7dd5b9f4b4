import type { IncomingMessage } from 'node:http';
import { cameThroughProxy, type DirectRoute, type DirectSurface } from '@ostiary/service';
import { noRoute, objectionTo, type Refusal, refuse } from './refusal.ts';
import { isPlain, type PublicService, routeOf } from './route.ts';

export interface OwnPerimeterOptions {
  /** The service whose routes these are. The directory has none that the outside may ask for. */
  service: PublicService | 'directory';
  /** Largest request body in bytes. */
  bodyLimit: number;
}

/**
 * The perimeter of a service that an ingress may lead to directly, past the gateway: what comes through a proxy is judged by the rules that
 * the gateway judges by, before the router sees it, and is refused in the same words. Our own processes come through none.
 */
export function ownPerimeter({ service, bodyLimit }: OwnPerimeterOptions): DirectSurface {
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
      const refusal = cameThroughProxy(request) ? refusalOf(request) : undefined;
      return refusal && { pattern: 'unmatched', answer: (exchange) => refuse(exchange, refusal) };
    },
  };
}
