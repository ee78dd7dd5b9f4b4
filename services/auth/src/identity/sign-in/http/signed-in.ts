import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Authentication } from '../../../platform/index.ts';
import { setSessionCookie } from '../../../platform/pages/http/browser.ts';
import { PageError, sendOn } from '../../../platform/pages/http/page.ts';
import type { CarriedRoles, Subject, TenantRecord } from '../../../tenancy/index.ts';
import type { LiveSession } from '../../sessions/domain/session-store.ts';
import type { SignInProof, StartedSession } from '../../sessions/domain/sessions.ts';
import type { SignInFactor } from '../../sign-in-log/domain/sign-in-attempts.ts';
import type { Interaction } from '../domain/interaction.ts';
import { recordAttempt } from './attempt-record.ts';
import type { InteractionDependencies, SignInDependencies } from './dependencies.ts';
import {
  clientErrorOf,
  conclude,
  currentSession,
  type OpenInteraction,
  pageOf,
  staysHere,
  takeInteraction,
} from './flow.ts';

/**
 * Starts the session and sets a new cookie. Undefined if the user was offboarded, or the proof revoked, since the
 * check.
 */
export async function startSession(
  deps: InteractionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  o: {
    tenant: TenantRecord;
    subject: Pick<Subject, 'id'>;
    authentication: Authentication;
    carriedRoles: CarriedRoles;
    proof?: SignInProof;
  },
): Promise<StartedSession | undefined> {
  const { tenant, subject, authentication, carriedRoles, proof } = o;
  const previous = await currentSession(deps, request, tenant.id);
  const started = await deps.sessions.start(
    tenant.id,
    {
      subjectId: subject.id,
      ...authentication,
      carriedRoles,
      userAgent: request.headers['user-agent'],
      ipAddress: request.ip,
      proof,
    },
    previous,
  );
  if (!started) return undefined;
  request.log.info(
    {
      event: 'session.signed_in',
      tenant: tenant.id,
      subject: subject.id,
      session: started.id,
      amr: authentication.amr,
    },
    'User signed in',
  );
  setSessionCookie(reply, tenant.id, started.cookie, deps.env.SESSION_ABSOLUTE_SECONDS);
  return started;
}

/** A user who was authenticated in an interaction. */
export interface SignedIn {
  tenant: TenantRecord;
  open: OpenInteraction;
  subject: Pick<Subject, 'id'>;
  authentication: Authentication;
  /** Roles that every used credential carries. */
  carriedRoles: CarriedRoles;
  /** Presented factors, for the sign-in log. */
  factors: readonly SignInFactor[];
  proof?: SignInProof;
}

/**
 * Starts the session of an authenticated user and continues the request.
 * @returns true if the response was sent; false if the user was deactivated since the check. Does not return the
 * reply, which is a thenable that `await` would resolve.
 */
export async function signedIn(
  deps: SignInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  o: SignedIn,
): Promise<boolean> {
  const { tenant, open, factors } = o;
  const started = await startSession(deps, request, reply, o);
  await recordAttempt(deps, request, {
    tenant: tenant.id,
    open,
    attempt: {
      subjectId: o.subject.id,
      factors,
      ...(started
        ? { outcome: 'succeeded', sessionId: started.id }
        : { outcome: 'failed', reason: 'access_ended' }),
    },
  });
  if (!started) return false;
  const { pending: _answered, ...rest } = open.interaction;
  const interaction: Interaction = { ...rest, sessionId: started.id, signedIn: true };
  try {
    await goOn(deps, request, reply, { tenant, open, interaction, session: started.session });
  } catch (error) {
    if (staysHere(error)) throw error;
    await deps.interactions.take(tenant.id, open.id);
    const answer = deps.authorization.refusal(tenant.id, interaction.request, clientErrorOf(request, error));
    await conclude(deps, request, reply, tenant.id, open.id, answer);
  }
  return true;
}

/**
 * Redirects to the requested page of this service, to the client with a code, or to the next page of the interaction.
 */
async function goOn(
  deps: InteractionDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  o: {
    tenant: TenantRecord;
    open: OpenInteraction;
    interaction: Interaction;
    session: LiveSession | undefined;
  },
): Promise<void> {
  const { tenant, open, interaction, session } = o;
  if (interaction.returnTo !== undefined) {
    await takeInteraction(deps, request, tenant.id, open.id);
    await conclude(deps, request, reply, tenant.id, open.id, interaction.returnTo);
    return;
  }
  const asked = { tenant: tenant.id, client: open.client, request: interaction.request };
  const step = await deps.authorization.next({ ...asked, session, signedIn: true });
  if (step.step === 'grant' && session) {
    await takeInteraction(deps, request, tenant.id, open.id);
    const { subject, scopes } = step;
    const answer = await deps.authorization.grant({ ...asked, session, subject, scopes });
    await conclude(deps, request, reply, tenant.id, open.id, answer);
    return;
  }
  if (!(await deps.interactions.signIn(tenant.id, open.id, interaction))) throw new PageError('expired', 400);
  sendOn(
    reply,
    step.step === 'grant' ? `/t/${tenant.id}/login?i=${open.id}` : pageOf(tenant.id, step.step, open.id),
  );
}
