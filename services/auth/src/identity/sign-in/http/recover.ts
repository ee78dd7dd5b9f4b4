import { isUnavailable, logFailure } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Parameters, parseParameters, queryOf, single } from '../../../platform/index.ts';
import { csrfToken, knownBrowser } from '../../../platform/pages/http/browser.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { PageError, sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import { words } from '../../../platform/pages/http/words.ts';
import type { TenantRecord } from '../../../tenancy/index.ts';
import { recordAttempt } from './attempt-record.ts';
import type { SignInDependencies } from './dependencies.ts';
import { type OpenInteraction, openForm, openInteraction, pageOf, tenantOf } from './flow.ts';
import { recoverFields, recoverPage } from './pages/recover.ts';

/** Maximum length of a user name that is looked up, in characters. */
const maxUserName = 1_024;

/**
 * GET and POST /t/{tenant}/login/recover: accepts a recovery code of a user whose only credential was a passkey. It
 * leads to the page that sets a new credential; the old ones are revoked when that is done.
 */
export function recoverRoutes(app: FastifyInstance, deps: SignInDependencies): void {
  app.get('/t/:tenant/login/recover', { exposeHeadRoute: false }, async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    if (!deps.passkeys.available) throw new PageError('not_found', 404);
    const parameters: Parameters = parseParameters(queryOf(request.url)) ?? new Map();
    const open = await openInteraction(deps, request, tenant.id, parameters);
    const userName = open.interaction.request.loginHint ?? '';
    return show(request, reply, tenant, open, { status: 200, userName, problems: [] });
  });

  app.post('/t/:tenant/login/recover', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const { form, ...open } = await openForm(deps, request, tenant.id);
    const userName = single(form, recoverFields.userName) ?? '';
    const code = single(form, recoverFields.code)?.trim() ?? '';
    const again = (status: number, problems: readonly Problem[]) =>
      show(request, reply, tenant, open, { status, userName, problems });

    const missing = missingFields(userName, code);
    if (missing.length > 0) return again(400, missing);
    try {
      const result = await deps.recovery.begin({
        tenant: tenant.id,
        userName: userName.slice(0, maxUserName),
        code,
        address: request.ip,
      });
      if (result.outcome !== 'accepted') {
        await recordRefusal(deps, request, { tenant: tenant.id, open, outcome: result.outcome, userName });
      }
      if (result.outcome === 'delayed') {
        reply.header('retry-after', result.retryAfterSeconds);
        return again(429, [{ message: words.signIn.delayed(result.retryAfterSeconds) }]);
      }
      if (result.outcome === 'refused') return again(401, [{ message: words.recover.refused }]);
      request.log.info(
        { event: 'recovery_code.used_for_reset', tenant: tenant.id, subject: result.subjectId },
        'Recovery code used to reset access',
      );
      return sendOn(reply, `/t/${tenant.id}/invitation?token=${result.token}`);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      logFailure(request, error, 503);
      return again(503, [{ message: words.signIn.unavailable }]);
    }
  });
}

async function recordRefusal(
  deps: SignInDependencies,
  request: FastifyRequest,
  o: { tenant: string; open: OpenInteraction; outcome: 'refused' | 'delayed'; userName: string },
): Promise<void> {
  const { tenant, open, outcome, userName } = o;
  const subject = await deps.subjects.findLocalByUserName(tenant, userName.slice(0, maxUserName));
  const reason = subject === undefined ? 'unknown_user' : subject.active ? 'wrong_code' : 'inactive_user';
  await recordAttempt(deps, request, {
    tenant,
    open,
    attempt: {
      subjectId: subject?.id,
      factors: ['recovery_code'],
      ...(outcome === 'refused'
        ? { outcome: 'failed', reason }
        : { outcome: 'delayed', reason: 'too_many_attempts' }),
    },
  });
}

function missingFields(userName: string, code: string): Problem[] {
  return [
    ...(userName.trim() === ''
      ? [{ message: words.signIn.missingUserName, field: recoverFields.userName }]
      : []),
    ...(code === '' ? [{ message: words.recover.missing, field: recoverFields.code }] : []),
  ];
}

function show(
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  o: { status: number; userName: string; problems: readonly Problem[] },
): FastifyReply {
  const { status, userName, problems } = o;
  return sendPage(
    reply,
    status,
    recoverPage({
      tenantName: tenant.name,
      action: `/t/${tenant.id}/login/recover`,
      back: pageOf(tenant.id, 'sign-in', open.id),
      fields: { i: open.id, csrf: csrfToken(knownBrowser(request) ?? '', `${tenant.id}/${open.id}`) },
      userName,
      problems,
    }),
  );
}
