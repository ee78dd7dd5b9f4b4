import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  type Authentication,
  authenticationOf,
  parseParameters,
  queryOf,
  single,
} from '../../../platform/index.ts';
import { browserOf, csrfToken, isOwnForm } from '../../../platform/pages/http/browser.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { PageError, sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import { words } from '../../../platform/pages/http/words.ts';
import type { TenantRecord } from '../../../tenancy/index.ts';
import { passwordMark } from '../../sessions/domain/password-mark.ts';
import type { SignInProof } from '../../sessions/domain/sessions.ts';
import type { LiveInvitation } from '../../sign-in/domain/credential-store.ts';
import { checkNewPassword, namesOf, tenantWordsOf } from '../../sign-in/domain/new-password.ts';
import { formOf, tenantOf } from '../../sign-in/http/flow.ts';
import { startSession } from '../../sign-in/http/signed-in.ts';
import { faultProblem } from './account-password.ts';
import { accountBase, recoveryCodesPath, showOnce } from './account-session.ts';
import type { AccountDependencies } from './dependencies.ts';
import { closedInvitationPage, invitationPage, passwordFields } from './pages/account-forms.ts';

const binding = (invitation: LiveInvitation): string => `invitation/${invitation.id}`;
const csrfPurpose = (tenant: string, invitation: LiveInvitation): string =>
  `${tenant}/${binding(invitation)}`;

/**
 * GET and POST /t/{tenant}/invitation: a single-use link that sets a user's first password or passkey, or resets the
 * access and replaces all credentials. Opening it changes nothing, because mail scanners open links.
 */
export function invitationRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  app.get('/t/:tenant/invitation', { exposeHeadRoute: false }, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const token = single(parseParameters(queryOf(request.url)) ?? new Map(), 'token');
    const invitation = await deps.invitations.find(tenant.id, token);
    if (!invitation || token === undefined) return closed(reply, tenant);
    return show(deps, request, reply, tenant, invitation, token, { status: 200, problems: [] });
  });

  app.post('/t/:tenant/invitation', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const form = formOf(request);
    const token = single(form, 'token');
    const invitation = await deps.invitations.find(tenant.id, token);
    if (!invitation || token === undefined) return closed(reply, tenant);
    if (!isOwnForm(request, csrfPurpose(tenant.id, invitation), single(form, 'csrf'))) {
      throw new PageError('other_browser', 403);
    }
    const credential = single(form, 'credential');
    const accepted =
      credential === undefined
        ? await withPassword(deps, tenant, invitation, {
            password: single(form, passwordFields.next) ?? '',
            repeated: single(form, passwordFields.repeated) ?? '',
          })
        : await withPasskey(deps, tenant, invitation, credential);
    if ('problem' in accepted) {
      const problems = [accepted.problem];
      return show(deps, request, reply, tenant, invitation, token, { status: 400, problems });
    }
    if (!accepted.authentication) return closed(reply, tenant);
    const { authentication, proof, recoveryCodes } = accepted;
    const { carriedRoles } = invitation;
    const subject = { id: invitation.subjectId };
    request.log.info(
      {
        event: invitation.resets ? 'account.access_reset' : 'account.invitation_accepted',
        tenant: tenant.id,
        subject: subject.id,
      },
      invitation.resets ? 'Access reset' : 'Invitation accepted',
    );
    const proven = { tenant, subject, authentication, carriedRoles, proof };
    const started = await startSession(deps, request, reply, proven);
    if (!started) return closed(reply, tenant);
    const base = accountBase(tenant.id);
    const session = recoveryCodes && (await deps.sessions.find(tenant.id, started.cookie));
    return session
      ? showOnce(
          deps,
          request,
          reply,
          { tenant, session, base },
          { page: recoveryCodesPath, value: recoveryCodes },
        )
      : sendOn(reply, base);
  });
}

/** `authentication` is undefined if another request was faster. */
type Accepted =
  | { problem: Problem }
  | { authentication: undefined }
  | { authentication: Authentication; proof: SignInProof; recoveryCodes?: string[] | undefined };

async function withPassword(
  deps: AccountDependencies,
  tenant: TenantRecord,
  invitation: LiveInvitation,
  o: { password: string; repeated: string },
): Promise<Accepted> {
  const subject = await deps.subjects.find(tenant.id, invitation.subjectId);
  const minLength = deps.env.PASSWORD_MIN_LENGTH;
  const checked = checkNewPassword({
    ...o,
    minLength,
    names: namesOf(subject?.profile),
    tenantWords: tenantWordsOf(tenant),
  });
  if ('fault' in checked) return { problem: faultProblem(checked.fault, minLength) };
  const hash = await deps.passwords.hash(checked.password);
  const accepted = await deps.invitations.accept(tenant.id, invitation, async (tx) => ({
    ticket: await deps.account.setPassword(tx, tenant.id, invitation, hash),
  }));
  if (!accepted) return { authentication: undefined };
  const { subjectEpoch, done } = accepted;
  return {
    authentication: authenticationOf(['pwd']),
    proof: { subjectEpoch, password: passwordMark(done.ticket) },
  };
}

async function withPasskey(
  deps: AccountDependencies,
  tenant: TenantRecord,
  invitation: LiveInvitation,
  credential: string,
): Promise<Accepted> {
  // The passkey is the only factor.
  const passkey = await deps.passkeys.readCreation(tenant.id, credential, {
    binding: binding(invitation),
    requireUserVerification: true,
  });
  if (!passkey) return { problem: { message: words.newPasskey.refused } };
  const { subjectId, carriedRoles } = invitation;
  const accepted = await deps.invitations.accept(tenant.id, invitation, async (tx) => {
    const added = await deps.passkeys.add(tx, tenant.id, subjectId, passkey, { name: '', carriedRoles });
    if (!added) return undefined;
    // Without a password the codes are the only recovery after the loss of the passkey.
    return { recoveryCodes: await deps.secondFactors.firstRecoveryCodes(tx, tenant.id, invitation) };
  });
  if (!accepted) return { authentication: undefined };
  const { done, subjectEpoch } = accepted;
  const method = passkey.synced ? 'swk' : 'hwk';
  const authentication = authenticationOf([method], { userVerified: true });
  return { authentication, proof: { subjectEpoch }, ...done };
}

const closed = (reply: FastifyReply, tenant: TenantRecord): FastifyReply =>
  sendPage(reply, 410, closedInvitationPage(tenant.name));

async function show(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  invitation: LiveInvitation,
  token: string,
  o: { status: number; problems: readonly Problem[] },
): Promise<FastifyReply> {
  const passkeyOptions = deps.passkeys.available
    ? await deps.passkeys.creationOptions(tenant.id, {
        subjectId: invitation.subjectId,
        userName: invitation.userName,
        displayName: invitation.displayName ?? undefined,
        tenantName: tenant.name,
        binding: binding(invitation),
        alone: true,
      })
    : undefined;
  return sendPage(
    reply,
    o.status,
    invitationPage({
      tenantName: tenant.name,
      action: `/t/${tenant.id}/invitation`,
      fields: { token, csrf: csrfToken(browserOf(request, reply), csrfPurpose(tenant.id, invitation)) },
      name: invitation.displayName ?? invitation.userName,
      userName: invitation.userName,
      minLength: deps.env.PASSWORD_MIN_LENGTH,
      resets: invitation.resets,
      passkeyOptions,
      problems: o.problems,
    }),
  );
}
