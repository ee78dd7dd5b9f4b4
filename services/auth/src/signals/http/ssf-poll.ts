import { invalidToken } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import { OAuthError } from '../../platform/index.ts';
import { refuseOtherMethods } from '../../platform/protocol/http/oauth-endpoint.ts';
import { readPollRequest } from '../domain/poll-request.ts';
import { readScopes } from '../domain/stream-configuration.ts';
import type { TransmitterDependencies } from './dependencies.ts';
import { bodyOf, forReceivers } from './ssf-endpoint.ts';

interface PollRoute {
  Params: { tenant: string; streamId: string };
}

const address = '/t/:tenant/ssf/poll/:streamId';

/** Polling endpoint of a stream: returns tokens and stores acknowledgements (RFC 8936 §2). */
export function ssfPollEndpoint(app: FastifyInstance, deps: TransmitterDependencies): void {
  app.post<PollRoute>(
    address,
    forReceivers(deps, readScopes, async ({ principal, ...owner }, request, reply) => {
      const asked = readPollRequest(bodyOf(request));
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const answer = await deps.signalPolls.poll(owner, request.params.streamId, asked, {
        gone: gone.signal,
        stillAdmitted: () => {
          if (deps.revocationList.revoked(principal)) throw invalidToken();
        },
      });
      if (!answer) {
        throw new OAuthError('invalid_request', 'There is no such polled stream.', { statusCode: 404 });
      }
      const { sets, moreAvailable } = answer;
      return reply.send({ sets, ...(moreAvailable ? { moreAvailable } : {}) });
    }),
  );
  // Waiting requests are answered before the process ends.
  app.addHook('preClose', async () => deps.signalPolls.release());
  refuseOtherMethods(app, address, ['POST']);
}
