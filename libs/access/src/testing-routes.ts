import { subscribe } from 'node:diagnostics_channel';

/** One method of one route, its address as it was registered (`/t/:tenant/userinfo`). */
export interface RecordedRoute {
  method: string;
  url: string;
}

interface RouteOptions {
  method: string | string[];
  url: string;
}

/**
 * The routes of every server that is made in this process from now on; the list grows while they are made. A test that goes
 * through it covers the routes that others will add.
 */
export function recordRoutes(): RecordedRoute[] {
  const routes: RecordedRoute[] = [];
  subscribe('fastify.initialization', (message) => {
    const { fastify } = message as {
      fastify: { addHook(name: 'onRoute', hook: (route: RouteOptions) => void): void };
    };
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.push({ method: one, url });
    });
  });
  return routes;
}

/** What a route answered without a token, and to each of the malformed ones. */
export interface ChallengedRoute extends RecordedRoute {
  /** Without a token it asks for one (RFC 6750 section 3), or it is the graph, where each field does: it is a protected resource. */
  isProtected: boolean;
  /** Status without a token. */
  status: number;
  /** Names of the malformed tokens to which it didn't answer 401 invalid_token, with what it answered. */
  wrong: string[];
}

/** Credentials of a shape that no access token has (RFC 6750 section 2.1, RFC 9449 section 7.1). */
const malformedCredentials: Readonly<Record<string, string>> = {
  'with a space': 'Bearer a b',
  'with a foreign character': 'Bearer {token}',
  empty: 'Bearer ',
  'without anything': 'Bearer',
  'too long': `Bearer ${'a'.repeat(9_000)}`,
  'no JWT': 'Bearer abc',
  'cut off': 'Bearer eyJhbGciOiJFUzI1NiJ9.e30',
};

/**
 * Sends each route no token, then every malformed one.
 * @param o.fill what stands for the parameters of an address
 */
export async function challengeRoutes(
  origin: string,
  routes: readonly RecordedRoute[],
  o: { fill: Readonly<Record<string, string>> },
): Promise<ChallengedRoute[]> {
  const ask = async ({ method, url }: RecordedRoute, authorization?: string) => {
    const path = url.replace(/:(\w+)/g, (_, name: string) => o.fill[name] ?? 'x').replaceAll('*', 'x');
    const response = await fetch(origin + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(authorization === undefined ? {} : { authorization }),
        ...(hasBody(method) ? { 'content-type': 'application/json' } : {}),
      },
      ...(hasBody(method) ? { body: '{}' } : {}),
    });
    await response.body?.cancel();
    return { status: response.status, challenge: response.headers.get('www-authenticate') ?? '' };
  };
  const answers: ChallengedRoute[] = [];
  for (const route of routes.filter(({ method }) => askable.has(method))) {
    const anonymous = await ask(route);
    const isAsked =
      anonymous.status === 401 && /^Bearer /.test(anonymous.challenge) && !/error=/.test(anonymous.challenge);
    const isProtected = isAsked || (route.url.endsWith('/graphql') && anonymous.status !== 405);
    const wrong: string[] = [];
    for (const [name, credentials] of isProtected ? Object.entries(malformedCredentials) : []) {
      const { status, challenge } = await ask(route, credentials);
      if (status !== 401 || !challenge.includes('error="invalid_token"'))
        wrong.push(`${name}: ${status} ${challenge}`);
    }
    answers.push({ ...route, isProtected, status: anonymous.status, wrong });
  }
  return answers;
}

// fetch knows no TRACE and no CONNECT.
const askable: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

const hasBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);
