import type { FastifyReply } from 'fastify';
import type { PeopleDependencies } from '../../composition/people.ts';
import { PageError, sendOn } from '../../pages/http/index.ts';
import type { PendingSignIn } from '../../sessions/data/interactions.ts';
import { passwordMark, type SignInProof } from '../../sessions/index.ts';
import type { Subject } from '../../subjects/index.ts';
import type { TenantRecord } from '../../tenants/index.ts';
import { passwordHash } from '../data/credentials.ts';
import { activeEpoch } from '../data/second-factors.ts';
import type { OpenInteraction } from './flow.ts';

/** Milliseconds in which the second factor must follow the password. */
const patienceMs = 600_000;

/**
 * After the right password: on to the second factor if there is one. The password counts for nothing yet but this.
 * @returns false when the password is all this person has; true when the answer was sent
 */
export async function askSecondFactor(
  deps: PeopleDependencies,
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

/**
 * The sign-in that waits for its second factor, as long as it may: not for long, and not when its person left or got
 * another password meanwhile.
 */
export async function pendingSignIn(
  deps: PeopleDependencies,
  tenant: string,
  open: OpenInteraction,
): Promise<PendingSignIn | undefined> {
  const { pending } = open.interaction;
  if (!pending || deps.kit.clock() - pending.at > patienceMs) return undefined;
  const epoch = await activeEpoch(deps.database.sql, tenant, pending.subjectId);
  if (epoch !== pending.subjectEpoch) return undefined;
  const password = await passwordHash(deps.database.sql, tenant, pending.subjectId);
  return passwordMark(password) === pending.password ? pending : undefined;
}
