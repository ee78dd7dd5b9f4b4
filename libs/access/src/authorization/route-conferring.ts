import { insufficientScope, missingToken } from '@ostiary/verifier/core';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only rejects a method at this path. */
    refuses?: boolean;
  }
}

/** Evidence that the caller may have the rights that a route confers. */
export type Assurance =
  /** A user's sign-in within 15 minutes, with the second factor if there is one. */
  | 'recent sign-in'
  /** The user is signing in, or has a session, which remains the user's own. */
  | 'own sign-in'
  /** The client, service account or token holder authenticates and gets no more than is registered for it. */
  | 'own credential'
  /** A single-use token, created for this purpose by a user who held the rights that it confers. */
  | 'token made for it'
  /** The scopes of the access token must include the conferred ones, if a role is conferred. */
  | 'held scopes'
  /** Only other Ostiary processes, which verified the same of their callers. */
  | 'platform';

/** Rights that a route with effects confers, as `@confers` states for a mutation. */
export interface RouteConferral {
  /** The conferred rights, or 'nothing'. */
  readonly confers: string;
  readonly assurance: Assurance;
}

/** Keyed by method and path, such as `POST /t/:tenant/register`. */
export type RouteConferrals = Readonly<Record<string, RouteConferral>>;

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Check between authentication and handler. It throws or answers to reject the request. */
export type RouteCheck = (
  request: FastifyRequest,
  reply: FastifyReply,
  conferral: RouteConferral,
) => Promise<unknown> | unknown;

/** Checks of a service per assurance. For a missing assurance each route has its own check. */
export type RouteChecks = Readonly<Partial<Record<Assurance, RouteCheck>>>;

/** Runs after the route's own guard, so that a route without a guard stays closed. */
const fromPlatform: RouteCheck = ({ principal }) => {
  if (!principal) throw missingToken();
  if (principal.kind !== 'service') throw insufficientScope([]);
};

const nameOf = (method: string, url: string | undefined): string => `${method} ${url}`;

/** Returns the declared rights of a request's route; undefined for one without effects. */
export const conferralOf = (
  declared: RouteConferrals,
  { method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>,
): RouteConferral | undefined => declared[nameOf(method, routeOptions.url)];

/**
 * Requires a declaration of every route registered from here on that may confer rights, and runs the declared
 * check before its handler. Call it before registering routes.
 * @throws Error at registration of an undeclared route, and after all registrations for a declaration without
 * route
 */
export function requireRouteConferrals(
  app: FastifyInstance,
  declared: RouteConferrals,
  checks: RouteChecks = {},
): void {
  const all: RouteChecks = { platform: fromPlatform, ...checks };
  const check = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const conferral = conferralOf(declared, request);
    if (conferral) await all[conferral.assurance]?.(request, reply, conferral);
  };
  const seen = new Set<string>();
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.refuses) return;
    const methods = [route.method].flat().filter((method) => !safe.has(method));
    for (const method of methods) {
      const name = nameOf(method, route.url);
      if (!Object.hasOwn(declared, name)) throw new Error(`${name} lacks @confers`);
      seen.add(name);
    }
    // The last step before the handler, after authentication.
    if (methods.length > 0) route.preHandler = [...[route.preHandler ?? []].flat(), check];
  });
  app.addHook('onReady', async () => {
    const unused = Object.keys(declared).filter((name) => !seen.has(name));
    if (unused.length > 0) throw new Error(`there is no ${unused.join(', ')}`);
  });
}

/** Declares several routes that confer the same rights. */
export const conferring = (
  confers: string,
  assurance: Assurance,
  routes: readonly string[],
): RouteConferrals => Object.fromEntries(routes.map((route) => [route, { confers, assurance }]));
