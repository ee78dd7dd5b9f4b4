import type {
  FastifyReply,
  FastifyRequest,
  onRequestAsyncHookHandler,
  preHandlerAsyncHookHandler,
} from 'fastify';
import type { WebOrigins } from './web-origins.ts';

/** Request headers that apps may send: tokens, proofs, `last-event-id`, and headers of GraphQL clients and tracing. */
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

/** Response headers that apps may read, besides the safelisted ones. */
const shownHeaders = [
  'dpop-nonce',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'www-authenticate',
  'x-request-id',
];

/** Seconds for which a browser may cache a preflight response. */
const askedForSeconds = 600;

export interface CrossOriginOptions {
  publicOrigin: string;
  /** Web origins, besides the public one, whose pages may open WebSockets for any tenant. */
  origins?: readonly string[];
  webOrigins: WebOrigins;
}

/**
 * Decides which pages of other origins may use the graph from a browser (CORS,
 * https://fetch.spec.whatwg.org/#http-cors-protocol): the origins that a tenant has registered, for tokens of that
 * tenant. No cookie authenticates here, and credentials in the sense of CORS are never allowed. The decision
 * therefore concerns only whether a page may read responses to a token that it has.
 *
 * While the tenant is unknown (a preflight request and a 401 have no token), any registered origin is allowed; at the
 * address of a tenant, only its own origins. Such responses are the same for all callers.
 */
export class CrossOrigin {
  readonly #options: CrossOriginOptions;

  constructor(options: CrossOriginOptions) {
    this.#options = options;
  }

  /** @param tenant undefined while it is unknown: then an origin of any tenant is accepted */
  async isRegistered(origin: string, tenant: string | undefined): Promise<boolean> {
    const tenants = await this.#options.webOrigins.tenantsOf(origin);
    return tenant === undefined ? tenants.size > 0 : tenants.has(tenant);
  }

  /** Reports whether a page may open a WebSocket. Programs other than browsers send no origin and are accepted. */
  async mayConnect(origin: string | undefined, tenant: string | undefined): Promise<boolean> {
    const { publicOrigin, origins = [] } = this.#options;
    if (origin === undefined || origin === publicOrigin || origins.includes(origin)) return true;
    return this.isRegistered(origin, tenant);
  }

  /** For every route of the graph, before the rest of the request is examined. Answers preflight requests. */
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

  /** Checks the origin again when the token's tenant is known. */
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
