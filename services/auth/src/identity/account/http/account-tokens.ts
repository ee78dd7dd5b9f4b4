import type { FastifyInstance, FastifyReply } from 'fastify';
import { countingRoles, OwnerGone, personalScopes, TooManyApiTokens } from '../../../access/index.ts';
import { OAuthError, parseParameters, queryOf, single } from '../../../platform/index.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import { words, wordsForScope } from '../../../platform/pages/http/words.ts';
import { type AccountVisit, shownOnce, showOnce, visit, visitByForm } from './account-session.ts';
import type { AccountDependencies } from './dependencies.ts';
import { madeTokenPage, newTokenPage, tokenFields } from './pages/account-forms.ts';

const dayMs = 86_400_000;
const choices = [7, 30, 90, 180, 365] as const;
const standard = 30;
const madePage = '/tokens/made';

/** Account pages for creating personal access tokens. */
export function accountTokenRoutes(app: FastifyInstance, deps: AccountDependencies): void {
  app.get('/t/:tenant/account/tokens', { exposeHeadRoute: false }, async (request, reply) => {
    const visited = await visit(deps, request, reply, '/tokens', { fresh: true });
    return visited ? showNewToken(deps, reply, visited, { status: 200, problems: [] }) : reply;
  });

  app.post('/t/:tenant/account/tokens', async (request, reply) => {
    const visited = await visitByForm(deps, request, reply, '/tokens');
    if (!visited) return reply;
    const { tenant, session, form } = visited;
    const name = single(form, tokenFields.name)?.trim() ?? '';
    const scopes = form.get(tokenFields.scope) ?? [];
    const days = choices.find((choice) => String(choice) === single(form, tokenFields.days)) ?? standard;
    const again = (status: number, problem: Problem) =>
      showNewToken(deps, reply, visited, { status, problems: [problem], name, scopes, days });
    if (name === '') return again(400, { message: words.newToken.missing, field: tokenFields.name });
    if (scopes.length === 0)
      return again(400, { message: words.newToken.noScopes, field: tokenFields.scope });
    const subject = await deps.subjects.find(tenant.id, session.subjectId);
    if (!subject?.active) return sendOn(reply, visited.base);
    try {
      const { token } = await deps.apiTokens.createPersonal(
        tenant.id,
        subject,
        { name, scopes, expiresAt: new Date(deps.kit.clock() + days * dayMs) },
        { epoch: session.subjectEpoch, session, acr: session.acr },
      );
      return await showOnce(deps, request, reply, visited, { page: madePage, value: token });
    } catch (error) {
      if (error instanceof TooManyApiTokens) return again(409, { message: words.newToken.tooMany });
      if (error instanceof OAuthError) return again(400, { message: words.newToken.refused });
      if (error instanceof OwnerGone) return sendOn(reply, visited.base);
      throw error;
    }
  });

  app.get(`/t/:tenant/account${madePage}`, { exposeHeadRoute: false }, async (request, reply) => {
    const visited = await visit(deps, request, reply, '');
    if (!visited) return reply;
    const id = single(parseParameters(queryOf(request.url)) ?? new Map(), 'shown');
    const token = (await shownOnce(deps, request, visited, madePage, id)) as string | undefined;
    return sendPage(
      reply,
      200,
      madeTokenPage({ tenantName: visited.tenant.name, back: visited.base, token }),
    );
  });
}

async function showNewToken(
  deps: AccountDependencies,
  reply: FastifyReply,
  visited: AccountVisit,
  o: {
    status: number;
    problems: readonly Problem[];
    name?: string;
    scopes?: readonly string[];
    days?: number;
  },
): Promise<FastifyReply> {
  const { tenant, session, base, csrf } = visited;
  const subject = await deps.subjects.find(tenant.id, session.subjectId);
  const roles = countingRoles(tenant.policy, {
    roles: subject?.roles ?? [],
    acr: session.acr,
    carriedRoles: session.carriedRoles,
  });
  return sendPage(
    reply,
    o.status,
    newTokenPage({
      tenantName: tenant.name,
      action: `${base}/tokens`,
      back: base,
      csrf,
      problems: o.problems,
      name: o.name ?? '',
      scopes: personalScopes(roles).map((name) => ({
        name,
        description: wordsForScope(name),
        chosen: o.scopes?.includes(name) ?? false,
      })),
      days: choices,
      chosenDays: o.days ?? standard,
    }),
  );
}
