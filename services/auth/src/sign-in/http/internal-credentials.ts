import { requireService } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import type { FastifyInstance } from 'fastify';
import { runFor } from '../../audit/index.ts';
import { badRequest, internalTenant, missing, objectOf, uuidOf } from '../../protocol/http/index.ts';
import { mayActOn, rolesGivableWith } from '../../roles/index.ts';
import { maxPasswordBytes, type PasswordFault } from '../domain/new-password.ts';
import { UnfitPassword } from '../domain/staged-passwords.ts';
import type { InternalSignInDependencies } from './dependencies.ts';

/**
 * Passwords that come with provisioning. They are hashed and kept under a ticket first, because the person they are
 * for may not exist yet, and take effect when the ticket is activated: by the user event that carries it, or before.
 * `roleScopes` are those of whoever asks for the change, if they may give roles at all: the passwords of people with a role
 * that takes more are refused with 403, and a password carries the roles that the caller could give when it was set. `actor` says whose change an activation belongs to, as the event does.
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
    // A caller that sets a user's password can sign in as them: what may provision users must not become their administrator so.
    const isOperator = request.principal?.clientId === 'operator';
    const scopes = new Set<string>(Array.isArray(roleScopes) ? roleScopes : []);
    if (!isOperator) {
      const roles = [...(await deps.roles.of(tenant, [subjectId])).values()].flat();
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

/** What an identity source is told, which hands it to whoever set the password. */
function adviceOn(fault: PasswordFault, minLength: number): string {
  switch (fault) {
    case 'too_short':
      return `The password is too short: it must have at least ${minLength} characters.`;
    case 'too_long':
      return `password must be at most ${maxPasswordBytes} bytes long.`;
    default:
      return 'The password is too easy to guess: it is on a list, or consists of names.';
  }
}

/** So many names a person has at most, as far as passwords are concerned. */
const mostNames = 50;

const textsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.filter((one): one is string => typeof one === 'string').slice(0, mostNames)
    : [];

const actorKinds: readonly string[] = [
  'user',
  'client',
  'connector',
  'service',
  'system',
] satisfies Actor['kind'][];

/** Undefined when nobody is named: then it is who calls. */
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
