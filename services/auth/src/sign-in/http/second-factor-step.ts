import type { FastifyReply } from 'fastify';
import { PageError, sendOn } from '../../pages/http/index.ts';
import type { SignInProof } from '../../sessions/index.ts';
import type { CarriedRoles, Subject } from '../../subjects/index.ts';
import type { TenantRecord } from '../../tenants/index.ts';
import type { PendingSignIn } from '../domain/interaction.ts';
import type { SignInDependencies } from './dependencies.ts';
import type { OpenInteraction } from './flow.ts';

/**
 * After the right password: on to the second factor if there is one. The password counts for nothing yet but this.
 * @returns false when the password is all this user has; true when the answer was sent
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
  // Whatever session the interaction went on with, this is a new sign-in.
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
 * The sign-in that waits for its second factor, as long as it may: not for long, and not when its user left or got
 * another password meanwhile.
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
