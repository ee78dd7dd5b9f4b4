import type { FastifyInstance } from 'fastify';
import { OAuthError } from '../../platform/index.ts';
import { refuseOtherMethods, type TenantRoute } from '../../platform/protocol/http/oauth-endpoint.ts';
import {
  manageScopes,
  minVerificationInterval,
  readState,
  readStreamId,
} from '../domain/stream-configuration.ts';
import type { TransmitterDependencies } from './dependencies.ts';
import { bodyOf, existing, forReceivers } from './ssf-endpoint.ts';

const address = '/t/:tenant/ssf/verification';

/** Verification endpoint: sends a verification event over the stream (SSF 1.0 §8.1.4.2). */
export function ssfVerificationEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  app.post<TenantRoute>(
    address,
    forReceivers(deps, manageScopes, async (owner, request, reply) => {
      const body = bodyOf(request);
      const id = readStreamId(body.stream_id);
      const asked = await deps.signalStreams.verify(owner, id, readState(body.state));
      if (asked === 'too soon') {
        throw new OAuthError('invalid_request', 'The stream was verified a moment ago.', {
          statusCode: 429,
          retryAfterSeconds: minVerificationInterval,
        });
      }
      existing(asked);
      return reply.code(204).send();
    }),
  );
  refuseOtherMethods(app, address, ['POST']);
}
