import { subscribe } from 'node:diagnostics_channel';

/** A method and the registered path of a route (`/t/:tenant/userinfo`). */
export interface RecordedRoute {
  method: string;
  url: string;
}

interface RouteOptions {
  method: string | string[];
  url: string;
}

/**
 * Returns the growing list of routes of all servers created in this process from now on. A test that iterates
 * over it also covers future routes.
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

/** Responses of a route without a token and with malformed ones. */
export interface ChallengedRoute extends RecordedRoute {
  /**
   * Whether the route is a protected resource: it requires a token (RFC 6750 section 3), or is the graph,
   * where each field does.
   */
  isProtected: boolean;
  /** Status without a token. */
  status: number;
  /** Names of the malformed tokens that were not answered with 401 invalid_token, with the response. */
  wrong: string[];
}

/** Credentials in a form that no access token has (RFC 6750 section 2.1, RFC 9449 section 7.1). */
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
 * Calls each route without a token, then with every malformed one.
 * @param o.fill values of the path parameters
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

// fetch supports neither TRACE nor CONNECT.
const askable: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

const hasBody = (method: string): boolean => ['POST', 'PUT', 'PATCH'].includes(method);
