import type { FastifyInstance } from 'fastify';
import { invalidRequest } from '../../platform/index.ts';
import { refuseOtherMethods, type TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import { manageScopes, readStreamId } from '../domain/stream-configuration.ts';
import { meantSubject } from '../domain/subjects.ts';
import type { TransmitterDependencies } from './dependencies.ts';
import { bodyOf, existing, forReceivers } from './ssf-endpoint.ts';

const address = '/t/:tenant/ssf/subjects/add';

/**
 * Add subject endpoint: ends the exclusion of a subject (SSF 1.0 §8.1.3.2). The response does not disclose whether the
 * subject exists (§9.1).
 */
export function ssfAddSubjectEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  app.post<TenantRoute>(
    address,
    forReceivers(deps, manageScopes, async ({ issuer, ...owner }, request, reply) => {
      const { stream_id: streamId, subject, verified } = bodyOf(request);
      // Verification of the subject by the receiver has no effect here.
      if (verified !== undefined && typeof verified !== 'boolean') {
        throw invalidRequest('verified must be true or false.');
      }
      const id = readStreamId(streamId);
      const meant = meantSubject(subject, { issuer, tenant: owner.tenant });
      existing(await deps.signalStreams.addSubject(owner, id, meant));
      return reply.code(200).send();
    }),
  );
  refuseOtherMethods(app, address, ['POST']);
}
