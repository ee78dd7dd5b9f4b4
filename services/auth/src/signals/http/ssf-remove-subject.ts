import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods, type TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import { manageScopes, readStreamId } from '../domain/stream-configuration.ts';
import { meantSubject } from '../domain/subjects.ts';
import type { TransmitterDependencies } from './dependencies.ts';
import { bodyOf, existing, forReceivers } from './ssf-endpoint.ts';

const address = '/t/:tenant/ssf/subjects/remove';

/**
 * Remove subject endpoint: excludes a subject from the events of a stream (SSF 1.0 §8.1.3.3). The response does not
 * disclose whether the subject exists (§9.1).
 */
export function ssfRemoveSubjectEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  app.post<TenantRoute>(
    address,
    forReceivers(deps, manageScopes, async ({ issuer, ...owner }, request, reply) => {
      const { stream_id: streamId, subject } = bodyOf(request);
      const id = readStreamId(streamId);
      const meant = meantSubject(subject, { issuer, tenant: owner.tenant });
      existing(await deps.signalStreams.removeSubject(owner, id, meant));
      return reply.code(204).send();
    }),
  );
  refuseOtherMethods(app, address, ['POST']);
}
