import type { FastifyReply } from 'fastify';
import { PageError, sendOn } from '../../../platform/pages/http/page.ts';
import type { CarriedRoles, Subject, TenantRecord } from '../../../tenancy/index.ts';
import type { SignInProof } from '../../sessions/domain/sessions.ts';
import type { PendingSignIn } from '../domain/interaction.ts';
import type { SignInDependencies } from './dependencies.ts';
import type { OpenInteraction } from './flow.ts';

/**
 * Redirects to the second factor after a correct password, if the user has one. The password alone grants nothing
 * then.
 * @returns false if the user has no second factor; true if the response was sent
 */
export async function askSecondFactor(
  deps: SignInDependencies,
  reply: FastifyReply,
  o: { tenant: TenantRecord; open: OpenInteraction; subject: Subject; proof: SignInProof },
): Promise<boolean> {
  const { tenant, open, subject, proof } = o;
  if (!(await deps.secondFactors.required(tenant.id, subject.id))) return false;
  const pending: PendingSignIn = {
    subjectId: subject.id,
    subjectEpoch: proof.subjectEpoch ?? subject.epoch,
    password: proof.password ?? '',
    at: deps.kit.clock(),
  };
  // A new sign-in, independent of the previous session of the interaction.
  const { sessionId: _session, signedIn: _signedIn, ...rest } = open.interaction;
  if (!(await deps.interactions.signIn(tenant.id, open.id, { ...rest, pending }))) {
    throw new PageError('expired', 400);
  }
  sendOn(reply, `/t/${tenant.id}/login/verify?i=${open.id}`);
  return true;
}

/** A sign-in that waits for its second factor, and the roles that its password carries. */
export type WaitingSignIn = PendingSignIn & { carriedRoles: CarriedRoles };

/**
 * Returns the sign-in that waits for its second factor; undefined if it has timed out, or the user was offboarded or
 * the password changed in the meantime.
 */
export async function pendingSignIn(
  deps: SignInDependencies,
  tenant: string,
  open: OpenInteraction,
): Promise<WaitingSignIn | undefined> {
  const { pending } = open.interaction;
  const password = pending && (await deps.secondFactors.mayFollow(tenant, pending));
  return pending && password ? { ...pending, carriedRoles: password.carriedRoles } : undefined;
}
