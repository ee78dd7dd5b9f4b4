import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseParameters, queryOf, single } from '../../../platform/index.ts';
import { csrfToken, knownBrowser } from '../../../platform/pages/http/browser.ts';
import { formTargetOf, PageError, sendOn, sendPage } from '../../../platform/pages/http/page.ts';
import type { SignInDependencies } from './dependencies.ts';
import { currentSession, openForm, openInteraction, pageOf, tenantOf } from './flow.ts';
import { selectAccountPage } from './pages/select-account.ts';

/** GET and POST /t/{tenant}/select-account: selects the account (OpenID Connect Core §3.1.2.1 prompt). */
export function selectAccountRoutes(app: FastifyInstance, deps: SignInDependencies): void {
  app.get('/t/:tenant/select-account', (request, reply) => ask(deps, request, reply));

  app.post('/t/:tenant/select-account', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const { form, id, interaction } = await openForm(deps, request, tenant.id);
    const action = single(form, 'action');
    if (action === 'other') return sendOn(reply, pageOf(tenant.id, 'sign-in', id));
    if (action !== 'continue') throw new PageError('malformed', 400);
    const session = await currentSession(deps, request, tenant.id);
    // The session is of another account than the page displayed.
    if (!session || session.id !== interaction.sessionId) {
      return sendOn(reply, pageOf(tenant.id, 'select-account', id));
    }
    if (!(await deps.interactions.signIn(tenant.id, id, { ...interaction, selected: true }))) {
      throw new PageError('expired', 400);
    }
    // The consent page determines the missing steps and continues if there are none.
    return sendOn(reply, pageOf(tenant.id, 'consent', id));
  });
}

async function ask(
  deps: SignInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const tenant = await tenantOf(deps, request);
  const parameters = parseParameters(queryOf(request.url)) ?? new Map();
  const { id, interaction, client } = await openInteraction(deps, request, tenant.id, parameters);
  const session = await currentSession(deps, request, tenant.id);
  if (!session) return sendOn(reply, pageOf(tenant.id, 'sign-in', id));
  if (session.id !== interaction.sessionId) {
    const { selected: _other, ...rest } = interaction;
    const shown = await deps.interactions.signIn(tenant.id, id, { ...rest, sessionId: session.id });
    if (!shown) throw new PageError('expired', 400);
  }
  return sendPage(
    reply,
    200,
    selectAccountPage({
      tenantName: tenant.name,
      clientName: client.name,
      action: `/t/${tenant.id}/select-account`,
      interaction: id,
      csrf: csrfToken(knownBrowser(request) ?? '', `${tenant.id}/${id}`),
      userName: session.userName,
      displayName: session.displayName,
    }),
    formTargetOf(interaction.request.redirectUri),
  );
}
