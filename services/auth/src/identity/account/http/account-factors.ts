import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Method } from '../../../platform/index.ts';
import { parseParameters, queryOf, single } from '../../../platform/index.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { PageError, sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import { words } from '../../../platform/pages/http/words.ts';
import type { TotpOffer } from '../../sign-in/domain/second-factors.ts';
import {
  type AccountVisit,
  changed,
  recoveryCodesPath,
  renewCookie,
  shownOnce,
  showOnce,
  visit,
  visitByForm,
} from './account-session.ts';
import type { AccountDependencies } from './dependencies.ts';
import {
  newPasskeyPage,
  passkeyFields,
  recoveryCodesPage,
  totpFields,
  totpPage,
} from './pages/account-forms.ts';
import { qrSvg } from './pages/qr.ts';

const fresh = { fresh: true } as const;
const codesPage = recoveryCodesPath;

/** Account pages of second factors: authenticator app, recovery codes, passkeys. */
export function accountFactorRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  totpRoutes(app, deps);
  recoveryCodeRoutes(app, deps);
  passkeyRoutes(app, deps);
}

function totpRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  app.get('/t/:tenant/account/totp', { exposeHeadRoute: false }, async (request, reply) => {
    const visited = await visit(deps, request, reply, '/totp', fresh);
    if (!visited) return reply;
    const factors = await deps.secondFactors.count(visited.tenant.id, visited.session.subjectId);
    if (factors.totp) return sendOn(reply, visited.base);
    const offer = deps.secondFactors.offerTotp(visited.tenant.id, ownerOf(visited));
    return showTotp(reply, visited, offer, { status: 200, problems: [] });
  });

  app.post('/t/:tenant/account/totp', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '/totp');
    if (!visited) return reply;
    const { tenant, session, form } = visited;
    const sealed = single(form, totpFields.offer) ?? '';
    const owner = ownerOf(visited);
    const code = single(form, totpFields.code) ?? '';
    const added = await deps.secondFactors.addTotp(tenant.id, session, { sealed, code });
    if (!added) {
      const offer = deps.secondFactors.repeatOffer(tenant.id, sealed, owner);
      const { totp } = await deps.secondFactors.count(tenant.id, session.subjectId);
      if (!offer || totp) return sendOn(reply, visited.base);
      const problems = [{ message: words.totpSetUp.refused, field: totpFields.code }];
      return showTotp(reply, visited, offer, { status: 400, problems });
    }
    request.log.info(
      { event: 'account.totp_added', tenant: tenant.id, subject: session.subjectId },
      'Authenticator app added',
    );
    await strengthen(deps, reply, visited, 'otp');
    return afterAdding(deps, request, reply, visited, added.recoveryCodes);
  });

  app.post('/t/:tenant/account/totp/remove', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '');
    if (!visited) return reply;
    await deps.secondFactors.removeTotp(visited.tenant.id, visited.session.subjectId, visited.session);
    request.log.info(
      { event: 'account.totp_removed', tenant: visited.tenant.id, subject: visited.session.subjectId },
      'Authenticator app removed',
    );
    return changed(reply, visited);
  });
}

function recoveryCodeRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  app.get('/t/:tenant/account/recovery-codes', { exposeHeadRoute: false }, async (request, reply) => {
    const visited = await visit(deps, request, reply, codesPage, fresh);
    if (!visited) return reply;
    const id = single(parseParameters(queryOf(request.url)) ?? new Map(), 'shown');
    const codes = (await shownOnce(deps, request, visited, codesPage, id)) as string[] | undefined;
    return sendPage(
      reply,
      200,
      recoveryCodesPage({
        tenantName: visited.tenant.name,
        action: `${visited.base}${codesPage}`,
        back: visited.base,
        csrf: visited.csrf,
        codes,
        alone: !(await deps.account.hasPassword(visited.tenant.id, visited.session.subjectId)),
      }),
    );
  });

  app.post('/t/:tenant/account/recovery-codes', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, codesPage);
    if (!visited) return reply;
    const codes = await deps.secondFactors.renewRecoveryCodes(visited.tenant.id, visited.session);
    return codes
      ? showOnce(deps, request, reply, visited, { page: codesPage, value: codes })
      : sendOn(reply, visited.base);
  });
}

function passkeyRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  app.get('/t/:tenant/account/passkeys', { exposeHeadRoute: false }, async (request, reply) => {
    const visited = await visit(deps, request, reply, '/passkeys', fresh);
    if (!visited) return reply;
    if (!deps.passkeys.available) throw new PageError('not_found', 404);
    return showNewPasskey(deps, reply, visited, { status: 200, problems: [] });
  });

  app.post('/t/:tenant/account/passkeys', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '/passkeys');
    if (!visited) return reply;
    const { tenant, session, form } = visited;
    const passkey = await deps.passkeys.readCreation(
      tenant.id,
      single(form, passkeyFields.credential) ?? '',
      { binding: creationBinding(visited), requireUserVerification: false },
    );
    const name = single(form, passkeyFields.name) ?? '';
    const added = passkey && (await deps.account.addPasskey(tenant.id, session, passkey, name));
    if (!passkey || !added) {
      const problems = [{ message: words.newPasskey.refused }];
      return showNewPasskey(deps, reply, visited, { status: 400, problems });
    }
    request.log.info(
      { event: 'account.passkey_added', tenant: tenant.id, subject: session.subjectId },
      'Passkey added',
    );
    await strengthen(deps, reply, visited, passkey.synced ? 'swk' : 'hwk');
    return afterAdding(deps, request, reply, visited, added.recoveryCodes);
  });

  app.post('/t/:tenant/account/passkeys/remove', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '');
    if (!visited) return reply;
    const { tenant, session, form } = visited;
    const passkey = single(form, 'id') ?? '';
    const removal = await deps.passkeys.remove(tenant.id, session.subjectId, passkey, session);
    if (removal === 'needed') return sendOn(reply, `${visited.base}/password`);
    request.log.info(
      { event: 'account.passkey_removed', tenant: tenant.id, subject: session.subjectId },
      'Passkey removed',
    );
    return changed(reply, visited);
  });
}

const ownerOf = ({ tenant, session }: AccountVisit) => ({
  subjectId: session.subjectId,
  sessionId: session.id,
  issuer: tenant.name,
  account: session.userName,
});

const creationBinding = ({ session }: AccountVisit): string => `account/${session.id}/${session.subjectId}`;

/** Records a second factor in the session and renews its cookie, so that the user need not sign in again. */
async function strengthen(
  deps: AccountDependencies,
  reply: FastifyReply,
  visited: AccountVisit,
  added: Method,
): Promise<void> {
  const { tenant, session } = visited;
  await renewCookie(deps, reply, visited);
  await deps.account.strengthen(tenant.id, session, added);
}

function afterAdding(
  deps: AccountDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  visited: AccountVisit,
  recoveryCodes: readonly string[] | undefined,
): Promise<FastifyReply> | FastifyReply {
  return recoveryCodes
    ? showOnce(deps, request, reply, visited, { page: codesPage, value: recoveryCodes })
    : changed(reply, visited);
}

function showTotp(
  reply: FastifyReply,
  visited: AccountVisit,
  offer: TotpOffer,
  o: { status: number; problems: readonly Problem[] },
): FastifyReply {
  return sendPage(
    reply,
    o.status,
    totpPage({
      tenantName: visited.tenant.name,
      action: `${visited.base}/totp`,
      back: visited.base,
      csrf: visited.csrf,
      problems: o.problems,
      svg: qrSvg(offer.uri),
      typed: offer.typed,
      offer: offer.sealed,
    }),
  );
}

async function showNewPasskey(
  deps: AccountDependencies,
  reply: FastifyReply,
  visited: AccountVisit,
  o: { status: number; problems: readonly Problem[] },
): Promise<FastifyReply> {
  const { tenant, session } = visited;
  return sendPage(
    reply,
    o.status,
    newPasskeyPage({
      tenantName: tenant.name,
      action: `${visited.base}/passkeys`,
      back: visited.base,
      csrf: visited.csrf,
      problems: o.problems,
      options: await deps.passkeys.creationOptions(tenant.id, {
        subjectId: session.subjectId,
        userName: session.userName,
        displayName: session.displayName,
        tenantName: tenant.name,
        binding: creationBinding(visited),
      }),
    }),
  );
}
