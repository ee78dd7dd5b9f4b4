import type { FastifyBaseLogger, FastifyInstance, FastifyReply } from 'fastify';
import { single } from '../../../platform/index.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import { words } from '../../../platform/pages/http/words.ts';
import {
  checkNewPassword,
  namesOf,
  type PasswordFault,
  tenantWordsOf,
} from '../../sign-in/domain/new-password.ts';
import { type AccountVisit, changed, renewCookie, visit, visitByForm } from './account-session.ts';
import type { AccountDependencies } from './dependencies.ts';
import { changePasswordPage, passwordFields } from './pages/account-forms.ts';

/** GET and POST /t/{tenant}/account/password. */
export function accountPasswordRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  app.get('/t/:tenant/account/password', { exposeHeadRoute: false }, async (request, reply) => {
    const visited = await visit(deps, request, reply, '/password', { fresh: true });
    return visited ? showPassword(deps, reply, visited, { status: 200, problems: [] }) : reply;
  });

  app.post('/t/:tenant/account/password', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '/password');
    if (!visited) return reply;
    const { tenant, session, form } = visited;
    const present = single(form, passwordFields.present) ?? '';
    const next = single(form, passwordFields.next) ?? '';
    const subject = await deps.subjects.find(tenant.id, session.subjectId);
    const minLength = deps.env.PASSWORD_MIN_LENGTH;
    const checked = checkNewPassword({
      password: next,
      repeated: single(form, passwordFields.repeated) ?? '',
      minLength,
      names: namesOf(subject?.profile),
      tenantWords: tenantWordsOf(tenant),
    });
    const problems = [
      ...(present === '' && (await deps.account.hasPassword(tenant.id, session.subjectId))
        ? [{ message: words.changePassword.missing, field: passwordFields.present }]
        : []),
      ...('fault' in checked ? [faultProblem(checked.fault, minLength)] : []),
    ];
    if (problems.length > 0 || 'fault' in checked)
      return showPassword(deps, reply, visited, { status: 400, problems });

    const result = await deps.account.changePassword(tenant.id, session, {
      present,
      next: checked.password,
    });
    switch (result.outcome) {
      case 'changed':
        logChange(request.log, visited);
        await renewCookie(deps, reply, visited);
        return changed(reply, visited);
      case 'gone':
        return sendOn(reply, visited.base);
      case 'delayed':
        reply.header('retry-after', result.retryAfterSeconds);
        return showPassword(deps, reply, visited, {
          status: 429,
          problems: [{ message: words.signIn.delayed(result.retryAfterSeconds) }],
        });
      case 'refused':
        return showPassword(deps, reply, visited, {
          status: 403,
          problems: [{ message: words.changePassword.refused, field: passwordFields.present }],
        });
      case 'unchanged':
        return showPassword(deps, reply, visited, {
          status: 400,
          problems: [faultProblem('unchanged', minLength)],
        });
    }
  });
}

function logChange(log: FastifyBaseLogger, { tenant, session }: AccountVisit): void {
  log.info(
    { event: 'account.password_changed', tenant: tenant.id, subject: session.subjectId },
    'Password changed',
  );
}

export function faultProblem(fault: PasswordFault, minLength: number): Problem {
  const { changePassword } = words;
  return fault === 'different'
    ? { message: changePassword.different, field: passwordFields.repeated }
    : {
        message: fault === 'too_short' ? changePassword.too_short(minLength) : changePassword[fault],
        field: passwordFields.next,
      };
}

async function showPassword(
  deps: AccountDependencies,
  reply: FastifyReply,
  visited: AccountVisit,
  o: { status: number; problems: readonly Problem[] },
): Promise<FastifyReply> {
  const { tenant, session, base, csrf } = visited;
  return sendPage(
    reply,
    o.status,
    changePasswordPage({
      tenantName: tenant.name,
      action: `${base}/password`,
      back: base,
      csrf,
      problems: o.problems,
      userName: session.userName,
      present: await deps.account.hasPassword(tenant.id, session.subjectId),
      minLength: deps.env.PASSWORD_MIN_LENGTH,
    }),
  );
}
