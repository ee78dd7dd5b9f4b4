import type {
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import type { WebOrigins } from '../domain/web-origins.ts';

/** What apps send along: tokens, proofs, where events go on, and what GraphQL clients and tracing add. */
const sentHeaders = [
  'accept',
  'apollo-require-preflight',
  'apollographql-client-name',
  'apollographql-client-version',
  'authorization',
  'content-type',
  'dpop',
  'last-event-id',
  'traceparent',
  'tracestate',
  'x-apollo-operation-name',
  'x-request-id',
];

/** What apps need to read of an answer beside what every page may. */
const shownHeaders = [
  'dpop-nonce',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-request-id',
];

/** Seconds for which a browser needn't ask again. */
const askedForSeconds = 600;

export interface CrossOriginOptions {
  publicOrigin: string;
  /** Web origins, besides the public one, whose pages may open WebSockets whatever the tenant. */
  origins?: readonly string[];
  webOrigins: WebOrigins;
}

/**
 * Which pages of other origins may use the graph from a browser (CORS, https://fetch.spec.whatwg.org/#http-cors-protocol): those of
 * origins that a tenant has registered, for tokens of that tenant. Nothing here acts on cookies, and credentials in the sense of CORS
 * are never allowed, so what this decides is only what a page may read of answers to a token it has already.
 *
 * As long as it isn't known which tenant is meant (a preflight has no token, nor has a 401) any registered origin is allowed; at a
 * tenant's own address that tenant's only. What such answers hold is the same for everybody.
 */
export class CrossOrigin {
  readonly #options: CrossOriginOptions;

  constructor(options: CrossOriginOptions) {
    this.#options = options;
  }

  /** @param tenant undefined while it isn't known: then any tenant's origin will do */
  async isRegistered(origin: string, tenant: string | undefined): Promise<boolean> {
    const tenants = await this.#options.webOrigins.tenantsOf(origin);
    return tenant === undefined ? tenants.size > 0 : tenants.has(tenant);
  }

  /** Whether a page may open a WebSocket. Programs that are no browser send no origin, and need none. */
  async mayConnect(origin: string | undefined, tenant: string | undefined): Promise<boolean> {
    const { publicOrigin, origins = [] } = this.#options;
    if (origin === undefined || origin === publicOrigin || origins.includes(origin)) return true;
    return this.isRegistered(origin, tenant);
  }

  /** For every route of the graph, before anything else of the request is looked at. Answers preflights. */
  readonly onRequest: onRequestAsyncHookHandler = async (request, reply) => {
    reply.header('vary', 'Origin');
    const origin = this.#otherOrigin(request);
    if (origin === undefined) return;
    const { tenant } = request.params as { tenant?: string };
    if (!(await this.isRegistered(origin, tenant))) return;
    reply
      .header('access-control-allow-origin', origin)
      .header('access-control-expose-headers', shownHeaders.join(', '));
    if (isPreflight(request)) return answerPreflight(reply);
  };

  /** As soon as the token was verified: its tenant decides. */
  readonly preHandler: preHandlerAsyncHookHandler = async (request, reply) => {
    const origin = this.#otherOrigin(request);
    const { principal } = request;
    if (origin === undefined || !principal || (await this.isRegistered(origin, principal.tenant))) return;
    reply.removeHeader('access-control-allow-origin');
    reply.removeHeader('access-control-expose-headers');
  };

  #otherOrigin({ headers: { origin } }: FastifyRequest): string | undefined {
    return origin === this.#options.publicOrigin ? undefined : origin;
  }
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;

const answerPreflight = (reply: FastifyReply): FastifyReply =>
  reply
    .code(204)
    .removeHeader('access-control-expose-headers')
    .header('access-control-allow-methods', 'GET, POST')
    .header('access-control-allow-headers', sentHeaders.join(', '))
    .header('access-control-max-age', askedForSeconds)
    .send();
