import { isTenantId, presentedToken } from '@ostiary/access';
import { ScimError } from '@ostiary/scim';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authenticator } from './authentication.ts';
import { tenantOf } from './context.ts';
import { countRequests, type RateRule } from './rate-limit.ts';
import { lackOfScope, type SignInPolicyOf } from './route-assurance.ts';

export interface AdmissionOptions {
  authenticator: Authenticator;
  rate: RateRule;
  /** Returns a tenant's policy for sign-ins of administrators. */
  signInPolicy: SignInPolicyOf;
}

/** Authenticates the caller, counts the request, and checks the route's access rule. @throws ScimError, AccessError */
export async function admit(
  request: FastifyRequest,
  reply: FastifyReply,
  { authenticator, rate, signInPolicy }: AdmissionOptions,
): Promise<void> {
  if (request.is404) return;
  const tenant = tenantOf(request);
  // No tenant can have such an id, so the error reveals nothing.
  if (!isTenantId(tenant)) throw ScimError.notFound('There is no such endpoint.');
  const { access } = request.routeOptions.config;
  if (access === undefined) throw new Error(`No access rule for ${request.routeOptions.url}`);
  const anonymous = request.headers.authorization === undefined && presentedToken(request) === undefined;
  if (access === 'public' && anonymous) return;
  request.caller = await authenticator.authenticate(request, reply, tenant);
  await countRequests(reply, request.caller, rate, 1);
  if (access === 'public' || access === 'authenticated') return;
  const { scopes, principal } = request.caller;
  const sufficient = typeof access === 'string' ? [access] : access;
  if (sufficient.some((scope) => scopes.has(scope))) return;
  throw await lackOfScope(request, principal, sufficient, signInPolicy);
}
