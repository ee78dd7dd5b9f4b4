import type { FastifyInstance } from 'fastify';
import { OAuthError } from '../../platform/index.ts';
import type { TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import {
  checkTransmitterSupplied,
  configurationOf,
  manageScopes,
  readChange,
  readConfiguration,
  readScopes,
  readStreamId,
} from '../domain/stream-configuration.ts';
import type { TransmitterDependencies } from './dependencies.ts';
import { bodyOf, existing, forReceivers } from './ssf-endpoint.ts';

interface StreamRoute extends TenantRoute {
  Querystring: { stream_id?: unknown };
}

const address = '/t/:tenant/ssf/stream';

/** Configuration endpoint: creates, reads, updates, replaces and deletes streams (SSF 1.0 §8.1.1). */
export function ssfStreamEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  const { signalStreams: streams, outgoingPolicy } = deps;

  app.post<TenantRoute>(
    address,
    forReceivers(deps, manageScopes, async ({ issuer, ...owner }, request, reply) => {
      const body = bodyOf(request);
      checkTransmitterSupplied(body, { iss: issuer, aud: owner.clientId });
      const stream = await streams.create(owner, readConfiguration(body, outgoingPolicy));
      if (stream === 'too many') {
        throw new OAuthError('invalid_request', 'A receiver has at most 10 streams.', { statusCode: 409 });
      }
      request.log.info(
        { event: 'signal_stream.created', tenant: owner.tenant, clientId: owner.clientId, stream: stream.id },
        'Signal stream created',
      );
      return reply.code(201).send(configurationOf(stream, issuer));
    }),
  );

  app.get<StreamRoute>(
    address,
    forReceivers(deps, readScopes, async ({ issuer, ...owner }, request, reply) => {
      const { stream_id: id } = request.query;
      if (id === undefined) {
        const all = await streams.list(owner);
        return reply.send(all.map((stream) => configurationOf(stream, issuer)));
      }
      return reply.send(configurationOf(existing(await streams.find(owner, readStreamId(id))), issuer));
    }),
  );

  for (const method of ['PATCH', 'PUT'] as const) {
    app.route<TenantRoute>({
      method,
      url: address,
      handler: forReceivers(deps, manageScopes, async ({ issuer, ...owner }, request, reply) => {
        const body = bodyOf(request);
        const id = readStreamId(body.stream_id);
        const asked =
          method === 'PATCH' ? readChange(body, outgoingPolicy) : readConfiguration(body, outgoingPolicy);
        const changed = await streams.change(owner, id, asked, (current) =>
          checkTransmitterSupplied(body, configurationOf(current, issuer)),
        );
        return reply.send(configurationOf(existing(changed), issuer));
      }),
    });
  }

  app.delete<StreamRoute>(
    address,
    forReceivers(deps, manageScopes, async (owner, request, reply) => {
      const id = readStreamId(request.query.stream_id);
      if (!(await streams.delete(owner, id))) existing(undefined);
      return reply.code(204).send();
    }),
  );
}
