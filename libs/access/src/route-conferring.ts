import type { FastifyInstance, RouteOptions } from 'fastify';

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

/**
 * Lets nothing be registered from here on that could give something and doesn't say what. Call it before the routes.
 * @throws Error while the routes are registered, for one that isn't declared; when they all are, for a declaration of none
 */
export function requireRouteConferrals(app: FastifyInstance, declared: RouteConferrals): void {
  const seen = new Set<string>();
  app.addHook('onRoute', (route: RouteOptions) => {
    if (route.config?.refuses) return;
    for (const method of [route.method].flat()) {
      const name = `${method} ${route.url}`;
      if (safe.has(method)) continue;
      if (!Object.hasOwn(declared, name)) throw new Error(`${name} does not say what it confers`);
      seen.add(name);
    }
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
