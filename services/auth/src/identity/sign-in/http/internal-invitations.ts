import { requireService } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import {
  badRequest,
  internalTenant,
  missing,
  objectOf,
  uuidOf,
} from '../../../platform/protocol/http/internal.ts';
import type { InternalSignInDependencies } from './dependencies.ts';

const maxSeconds = 2_592_000;

/** POST /internal/v1/tenants/{t}/invitations: creates the link for a user's first password or passkey. */
export function internalInvitationRoutes(app: FastifyInstance, deps: InternalSignInDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['operator']);
  app.post('/internal/v1/tenants/:tenant/invitations', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    const { subject, expiresInSeconds, resets = false } = objectOf(request.body);
    if (typeof resets !== 'boolean') return badRequest(reply, 'resets must be true or false.');
    const seconds = expiresInSeconds ?? deps.env.INVITATION_TTL_SECONDS;
    if (typeof seconds !== 'number' || !Number.isInteger(seconds) || seconds < 60 || seconds > maxSeconds) {
      return badRequest(reply, `expiresInSeconds must be a whole number from 60 to ${maxSeconds}.`);
    }
    const subjectId = uuidOf(subject);
    const person = subjectId === undefined ? null : await deps.subjects.find(tenant, subjectId);
    if (!person) return missing(reply, 'user');
    const result = await deps.invitations.invite(tenant, {
      subjectId: person.id,
      lifetimeSeconds: seconds,
      resets,
      carriedRoles: null,
      mayOpen: () => true,
    });
    if (result.outcome !== 'invited') {
      const message =
        result.outcome === 'inactive' ? 'The user is not active.' : 'The user can already sign in.';
      return reply.code(409).send({ error: 'conflict', message });
    }
    const { url, expiresAt } = result;
    return reply.code(201).header('cache-control', 'no-store').send({ url, expiresAt });
  });
}
