import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { insufficientScope, missingToken } from '../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route only says that a method isn't for this address. */
    refuses?: boolean;
  }
}

/** What makes sure that whoever asks may have what a route gives. */
export type Assurance =
  /** A person's sign-in of the last quarter of an hour, with the second factor if there is one. */
  | 'recent sign-in'
  /** The person is about to sign in, or is here with a session: it is theirs, and stays theirs. */
  | 'own sign-in'
  /** The client, service account or holder of the token proves who it is; it gets no more than it is registered for. */
  | 'own credential'
  /** A token made for this, once, by somebody who held what it gives. */
  | 'token made for it'
  /** The scopes of the access token: what is given must be among them, where there is a role to give. */
  | 'held scopes'
  /** Only other processes of the platform, which asked the same of whoever asked them. */
  | 'platform';

/** What a route that can change something confers, as `@confers` says it of a mutation. */
export interface RouteConferral {
  /** What it gives, or 'nothing'. */
  readonly confers: string;
  readonly assurance: Assurance;
}

/** By method and address, as in `POST /t/:tenant/register`. */
export type RouteConferrals = Readonly<Record<string, RouteConferral>>;

const safe: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Asked of a request when it is known who sends it, and before its handler runs: throws, or answers, unless it may go on. */
export type RouteCheck = (
  request: FastifyRequest,
  reply: FastifyReply,
  conferral: RouteConferral,
) => Promise<unknown> | unknown;

/** What a service checks for each assurance; those that aren't here each route sees to by itself. */
export type RouteChecks = Readonly<Partial<Record<Assurance, RouteCheck>>>;

/** Behind the route's own guard, so that one that was forgotten opens nothing. */
const fromPlatform: RouteCheck = ({ principal }) => {
  if (!principal) throw missingToken();
  if (principal.kind !== 'service') throw insufficientScope([]);
};

const nameOf = (method: string, url: string | undefined): string => `${method} ${url}`;

/** What a request's route was declared to confer; undefined for one that changes nothing. */
export const conferralOf = (
  declared: RouteConferrals,
  { method, routeOptions }: Pick<FastifyRequest, 'method' | 'routeOptions'>,
): RouteConferral | undefined => declared[nameOf(method, routeOptions.url)];

/**
 * Lets nothing be registered from here on that could give something and doesn't say what, and makes sure of what the table says
 * before any handler runs. Call it before the routes.
 * @throws Error while the routes are registered, for one that isn't declared; when they all are, for a declaration of none
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
    // The last before the handler: whatever says who sends the request has run.
    if (methods.length > 0) route.preHandler = [...[route.preHandler ?? []].flat(), check];
  });
  app.addHook('onReady', async () => {
    const unused = Object.keys(declared).filter((name) => !seen.has(name));
    if (unused.length > 0) throw new Error(`there is no ${unused.join(', ')}`);
  });
}

/** Declares several routes that confer the same. */
export const conferring = (
  confers: string,
  assurance: Assurance,
  routes: readonly string[],
): RouteConferrals => Object.fromEntries(routes.map((route) => [route, { confers, assurance }]));
