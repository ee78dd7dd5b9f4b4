import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ClientAuthenticationDependencies, clientOf } from '../../clients/http/client-authentication.ts';
import {
  checkForm,
  invalidClient,
  invalidRequest,
  type Parameters,
  parseParameters,
  queryOf,
} from '../../platform/index.ts';
import {
  formOf,
  refuseOtherMethods,
  serveOAuth,
  type TenantRoute,
  tenantOf,
} from '../../platform/protocol/http/oauth-endpoint.ts';
import { audienceOf, preferredWait, refuseCredentials, wantsEvents } from './domain/feed-request.ts';
import type { Followers } from './domain/followers.ts';
import type { FeedRequest, PublicFeed, SendEvent } from './domain/public-feed.ts';

type FeedDependencies = ClientAuthenticationDependencies & {
  publicFeed: PublicFeed;
  followers: Followers;
  kit: ServiceKit;
};

const address = '/t/:tenant/revocations';

/**
 * GET and POST /t/{tenant}/revocations: the public revocation feed, for confidential clients that serve a resource
 * (docs/reference/revocation-feed.md). POST is for client authentication in the body.
 */
export function revocationFeedEndpoint(app: FastifyInstance, deps: FeedDependencies): void {
  serveOAuth(app);
  app.get<TenantRoute>(address, (request, reply) => answer(deps, request, reply, queryParameters(request)));
  app.post<TenantRoute>(address, (request, reply) => answer(deps, request, reply, formOf(request)));
  refuseOtherMethods(app, address, ['GET', 'POST']);
  // Held requests are answered before the process ends.
  app.addHook('preClose', async () => deps.followers.release());
}

function queryParameters(request: FastifyRequest): Parameters {
  const parameters = parseParameters(queryOf(request.url));
  if (parameters === undefined) throw invalidRequest('The query is not well-formed.');
  refuseCredentials(parameters);
  return checkForm(parameters);
}

async function answer(
  deps: FeedDependencies,
  request: FastifyRequest<TenantRoute>,
  reply: FastifyReply,
  parameters: Parameters,
): Promise<FastifyReply> {
  const tenant = await tenantOf(deps, request);
  const client = await clientOf(deps, tenant, request, parameters);
  if (client.type !== 'confidential') throw invalidClient('public clients cannot follow the feed');
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const asked: FeedRequest = {
    client,
    audience: audienceOf(client, deps.issuer(tenant), parameters),
    after: parameters.get('after')?.[0],
    gone: gone.signal,
  };
  reply.header('vary', 'accept, prefer');
  // A HEAD request has a response without content, so it does not wait for any.
  const isRead = request.method !== 'HEAD';
  if (isRead && wantsEvents(request.headers.accept)) return sendEvents(deps, request, reply, asked);
  const seconds = isRead ? preferredWait(request.headers.prefer) : 0;
  if (seconds > 0) reply.header('preference-applied', `wait=${seconds}`);
  const page = await deps.publicFeed.page(asked, seconds * 1_000);
  return reply.type('application/json').send(page);
}

/** Sends pages as server-sent events (WHATWG HTML §9.2). Errors before the first event have a status. */
async function sendEvents(
  { publicFeed, kit }: FeedDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  asked: FeedRequest,
): Promise<FastifyReply> {
  const body = new PassThrough();
  const begun = Promise.withResolvers<void>();
  const send: SendEvent = async ({ id, data, rest }, over) => {
    begun.resolve();
    body.write(`id: ${id}\nevent: page\ndata: `);
    // All streams share the bytes of a page: those of clients that do not read would fill the memory.
    body.write(data);
    const isFull = !body.write(`${rest}\n\n`);
    if (isFull) await once(body, 'drain', { signal: over }).catch(() => undefined);
  };
  // A client that reconnects repeats the address of its first request, and the last event that it received.
  const last = request.headers['last-event-id'];
  const after = typeof last === 'string' && last !== '' ? last : asked.after;
  publicFeed
    .stream({ ...asked, after }, send)
    .catch((error: unknown) => {
      begun.reject(error);
      kit.log.info(
        {
          event: 'revocation_feed.stream_ended',
          requestId: request.id,
          tenant: asked.client.tenant,
          err: error,
        },
        'Stream of the revocation feed ended',
      );
    })
    // A client that does not read would keep the connection open.
    .finally(() => (body.writableNeedDrain ? body.destroy() : body.end()));
  await begun.promise;
  return reply.header('content-type', 'text/event-stream').header('x-accel-buffering', 'no').send(body);
}
