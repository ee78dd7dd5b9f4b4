import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods, type TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import {
  manageScopes,
  readScopes,
  readStatus,
  readStreamId,
  type Stream,
} from '../domain/stream-configuration.ts';
import type { TransmitterDependencies } from './dependencies.ts';
import { bodyOf, existing, forReceivers } from './ssf-endpoint.ts';

interface StatusRoute extends TenantRoute {
  Querystring: { stream_id?: unknown };
}

const address = '/t/:tenant/ssf/status';

/** Status endpoint: reads and changes the status of a stream (SSF 1.0 §8.1.2). */
export function ssfStatusEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  app.get<StatusRoute>(
    address,
    forReceivers(deps, readScopes, async (owner, request, reply) => {
      const id = readStreamId(request.query.stream_id);
      return reply.send(statusOf(existing(await deps.signalStreams.find(owner, id))));
    }),
  );

  app.post<TenantRoute>(
    address,
    forReceivers(deps, manageScopes, async (owner, request, reply) => {
      const body = bodyOf(request);
      const id = readStreamId(body.stream_id);
      return reply.send(statusOf(existing(await deps.signalStreams.setStatus(owner, id, readStatus(body)))));
    }),
  );

  refuseOtherMethods(app, address, ['GET', 'POST']);
}

const statusOf = ({ id, status, reason }: Stream): Record<string, unknown> => ({
  stream_id: id,
  status,
  ...(reason === undefined ? {} : { reason }),
});
