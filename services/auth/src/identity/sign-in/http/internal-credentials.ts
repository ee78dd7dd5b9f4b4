import { requireService } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import type { FastifyInstance } from 'fastify';
import { mayActOn, rolesGivableWith } from '../../../access/index.ts';
import { runFor } from '../../../platform/index.ts';
import {
  badRequest,
  internalTenant,
  missing,
  objectOf,
  uuidOf,
} from '../../../platform/protocol/http/internal.ts';
import { maxPasswordBytes, type PasswordFault } from '../domain/new-password.ts';
import { UnfitPassword } from '../domain/staged-passwords.ts';
import type { InternalSignInDependencies } from './dependencies.ts';

/**
 * Routes for passwords of provisioned users. A password is hashed and stored under a ticket, because its user may not
 * exist yet. It takes effect when the ticket is activated, by the user event that contains it or before. `roleScopes`
 * are the scopes of the caller of the change, if it may assign roles: a password for a user whose role requires more
 * is rejected with 403, and a password carries the roles that the caller could assign. `actor` is the actor of the
 * activation, as in the event.
 */
export function credentialRoutes(app: FastifyInstance, deps: InternalSignInDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['provisioning', 'directory', 'operator']);

  app.post('/internal/v1/tenants/:tenant/credentials', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    const { subject, password, roleScopes, names } = objectOf(request.body);
    const subjectId = uuidOf(subject);
    if (subjectId === undefined) return badRequest(reply, 'subject must be a user id.');
    if (typeof password !== 'string' || password === '')
      return badRequest(reply, 'password must be a string.');
    if (Buffer.byteLength(password) > maxPasswordBytes) {
      return badRequest(reply, `password must be at most ${maxPasswordBytes} bytes long.`);
    }
    // A password permits signing in as its user. Permission to provision users must not include taking over
    // administrators.
    const isOperator = request.principal?.clientId === 'operator';
    const scopes = new Set<string>(Array.isArray(roleScopes) ? roleScopes : []);
    if (!isOperator) {
      const roles = [...(await deps.roleDirectory.of(tenant, [subjectId])).values()].flat();
      if (!mayActOn(scopes, roles)) {
        return reply.code(403).send({
          error: 'forbidden',
          message: 'Only an administrator who can assign roles can set the password of an administrator.',
        });
      }
    }
    try {
      const carriedRoles = isOperator ? null : rolesGivableWith(scopes);
      const o = { carriedRoles, names: textsIn(names) };
      const ticket = await deps.stagedPasswords.stage(tenant, subjectId, password, o);
      return reply.code(201).header('cache-control', 'no-store').send({ ticket });
    } catch (error) {
      if (!(error instanceof UnfitPassword)) throw error;
      return badRequest(reply, adviceOn(error.fault, deps.env.PASSWORD_MIN_LENGTH));
    }
  });

  app.post(
    '/internal/v1/tenants/:tenant/credentials/:ticket/activate',
    { onRequest },
    async (request, reply) => {
      const tenant = await internalTenant(deps, request);
      if (tenant === undefined) return missing(reply, 'tenant');
      const ticket = uuidOf((request.params as { ticket: string }).ticket);
      const actor = actorIn(objectOf(request.body).actor);
      const found =
        ticket !== undefined && (await runFor(actor, () => deps.stagedPasswords.activate(tenant, ticket)));
      return found ? reply.code(204).send() : missing(reply, 'ticket');
    },
  );
}

/** Returns the message for the identity source. */
function adviceOn(fault: PasswordFault, minLength: number): string {
  switch (fault) {
    case 'too_short':
      return `The password is too short: it must have at least ${minLength} characters.`;
    case 'too_long':
      return `password must be at most ${maxPasswordBytes} bytes long.`;
    default:
      return 'The password is too easy to guess: it is on a list of common passwords, or consists of names.';
  }
}

/** Maximum number of names for the password check. */
const maxNames = 50;

const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string').slice(0, maxNames)
    : [];

const actorKinds: readonly string[] = [
  'user',
  'client',
  'connector',
  'service',
  'system',
] satisfies Actor['kind'][];

/** Undefined if none is given; the actor is the caller then. */
function actorIn(value: unknown): Actor | undefined {
  const { kind, id, name, onBehalfOf } = objectOf(value);
  if (typeof kind !== 'string' || !actorKinds.includes(kind) || typeof id !== 'string') return undefined;
  return {
    kind: kind as Actor['kind'],
    id,
    ...(typeof name === 'string' && { name }),
    ...(typeof onBehalfOf === 'string' && { onBehalfOf }),
  };
}
