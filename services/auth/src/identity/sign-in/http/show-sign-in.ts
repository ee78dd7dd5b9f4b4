import type { FastifyReply, FastifyRequest } from 'fastify';
import { appOf } from '../../../clients/http/client-logo.ts';
import { csrfToken, knownBrowser } from '../../../platform/pages/http/browser.ts';
import type { Problem } from '../../../platform/pages/http/layout.ts';
import { formTargetOf, sendPage } from '../../../platform/pages/http/page.ts';
import type { TenantRecord } from '../../../tenancy/index.ts';
import type { SignInDependencies } from './dependencies.ts';
import type { OpenInteraction } from './flow.ts';
import { signInPage } from './pages/sign-in.ts';

/** Returns the binding of a passkey's response on the sign-in page of an interaction. */
export const signInBinding = (interaction: string): string => `sign-in/${interaction}`;

/** Sends the sign-in page of an open interaction. */
export async function showSignIn(
  deps: SignInDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  o: { status: number; userName?: string | undefined; problems?: readonly Problem[] },
): Promise<FastifyReply> {
  const passkeyOptions = deps.passkeys.available
    ? await deps.passkeys.requestOptions(tenant.id, { binding: signInBinding(open.id) })
    : undefined;
  return sendPage(
    reply,
    o.status,
    signInPage({
      tenantName: tenant.name,
      app: await appOf(deps, open.client),
      action: `/t/${tenant.id}/login`,
      interaction: open.id,
      csrf: csrfToken(knownBrowser(request) ?? '', `${tenant.id}/${open.id}`),
      userName: o.userName ?? '',
      problems: o.problems ?? [],
      passkeyOptions,
      recover: `/t/${tenant.id}/login/recover?i=${open.id}`,
    }),
    formTargetOf(open.interaction.request.redirectUri),
  );
}
