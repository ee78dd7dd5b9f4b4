import type { FastifyInstance } from 'fastify';
import { refuseOtherMethods, type TenantRoute } from '../../protocol/http/index.ts';
import { invalidRequest } from '../../protocol/index.ts';
import { manageScopes, readStreamId } from '../domain/stream-configuration.ts';
import { meantSubject } from '../domain/subjects.ts';
import type { TransmitterDependencies } from './dependencies.ts';
import { bodyOf, existing, forReceivers } from './ssf-endpoint.ts';

const address = '/t/:tenant/ssf/subjects/add';

/**
 * The add subject endpoint: events about a subject, after they had been removed, are wanted again (SSF 1.0 §8.1.3.2). It says nothing about whether
 * there is such a person (§9.1).
 */
export function ssfAddSubjectEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  app.post<TenantRoute>(
    address,
    forReceivers(deps, manageScopes, async ({ issuer, ...owner }, request, reply) => {
      const { stream_id: streamId, subject, verified } = bodyOf(request);
      // Whether the receiver has verified who the subject is makes no difference here.
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
