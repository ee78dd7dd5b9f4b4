import { apiScopes } from '@ostiary/access';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isKnownScope, knownResource, ownResources } from '../../access/index.ts';
import { keptClient } from '../../clients/documents/http/document-client.ts';
import { appOf } from '../../clients/http/client-logo.ts';
import {
  type Api,
  type Client,
  descriptionIn,
  documentHostOf,
  isUnapprovedClientId,
  mayBeImpersonated,
} from '../../clients/index.ts';
import type { LiveSession } from '../../identity/index.ts';
import {
  clientErrorOf,
  conclude,
  currentSession,
  type OpenInteraction,
  openForm,
  openInteraction,
  pageOf,
  refuse,
  staysHere,
  takeInteraction,
  tenantOf,
} from '../../identity/sign-in/http/flow.ts';
import { parseParameters, queryOf, single } from '../../platform/index.ts';
import { csrfToken, knownBrowser } from '../../platform/pages/http/browser.ts';
import { formTargetOf, PageError, sendOn, sendPage } from '../../platform/pages/http/page.ts';
import { reader } from '../../platform/pages/http/reader.ts';
import { words, wordsForScope } from '../../platform/pages/http/words.ts';
import type { TenantRecord } from '../../tenancy/index.ts';
import type { AuthorizationDependencies } from './dependencies.ts';
import { type ConsentPage, consentPage } from './pages/consent.ts';

/** GET and POST /t/{tenant}/consent: shows the requested permissions and processes the user's decision. */
export function consentRoutes(app: FastifyInstance, deps: AuthorizationDependencies): void {
  app.get('/t/:tenant/consent', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const open = await openInteraction(
      deps,
      request,
      tenant.id,
      parseParameters(queryOf(request.url)) ?? new Map(),
    );
    return decide(deps, request, reply, tenant, open);
  });

  app.post('/t/:tenant/consent', async (request, reply) => {
    const tenant = await tenantOf(deps, request);
    const { form, ...open } = await openForm(deps, request, tenant.id);
    const action = single(form, 'action');
    if (action === 'deny') {
      return refuse(deps, request, reply, tenant, open, 'The user denied the request.');
    }
    if (action !== 'allow') throw new PageError('malformed', 400);
    const shown = (name: string) => new Set((single(form, name) ?? '').split(' '));
    return decide(deps, request, reply, tenant, open, { scopes: shown('scope'), apis: shown('apis') });
  });
}

/** Content of the page on which the user agreed. It limits the consent, because both may change in the meantime. */
interface Agreement {
  scopes: ReadonlySet<string>;
  apis: ReadonlySet<string>;
}

/** Identifies an API with the texts that the page displays. */
const editionOf = ({ id, version }: Api): string => `${id}.${version}`;

/**
 * Shows the consent page or processes the decision. Redirects to the sign-in page if the session is not that of the
 * interaction.
 */
async function decide(
  deps: AuthorizationDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  agreed?: Agreement,
): Promise<FastifyReply> {
  const { interaction, client } = open;
  const session = await currentSession(deps, request, tenant.id);
  if (!session || session.id !== interaction.sessionId) {
    return sendOn(reply, `/t/${tenant.id}/login?i=${open.id}`);
  }
  try {
    const step = await deps.authorization.next({
      tenant: tenant.id,
      client,
      request: interaction.request,
      session,
      signedIn: interaction.signedIn === true,
      selected: interaction.selected === true,
      ...(agreed ? { agreed: agreed.scopes } : {}),
    });
    if (step.step === 'sign-in' || step.step === 'select-account')
      return sendOn(reply, pageOf(tenant.id, step.step, open.id));
    const apis = step.step === 'consent' || agreed ? await apisOf(deps, tenant.id, step.scopes) : [];
    const isOutdated = agreed !== undefined && !apis.every((api) => agreed.apis.has(editionOf(api)));
    if (step.step === 'consent' || isOutdated)
      return await showConsent(deps, request, reply, tenant, open, session, { apis, scopes: step.scopes });

    // Consumed before the grant, so that one of several answers counts.
    await takeInteraction(deps, request, tenant.id, open.id);
    const { subject, scopes } = step;
    const allowed = agreed ? await keptClient(deps, request, client, subject.id) : client;
    if (!allowed) throw new PageError('unknown_client', 400);
    if (agreed) {
      const withdrawals = subject.withdrawals[client.clientId] ?? 0;
      // Undefined in interactions of version 0.2.0.
      const { clientVersion = client.version } = interaction;
      const asked = { session, withdrawals, clientVersion };
      await deps.consents.remember(tenant.id, asked, client.clientId, scopes);
    }
    const granted = {
      tenant: tenant.id,
      client: allowed,
      request: interaction.request,
      session,
      subject,
      scopes,
    };
    return await conclude(deps, request, reply, tenant.id, open.id, await deps.authorization.grant(granted));
  } catch (error) {
    if (staysHere(error)) throw error;
    await deps.interactions.take(tenant.id, open.id);
    const answer = deps.authorization.refusal(tenant.id, interaction.request, clientErrorOf(request, error));
    return conclude(deps, request, reply, tenant.id, open.id, answer);
  }
}

async function showConsent(
  deps: AuthorizationDependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  tenant: TenantRecord,
  open: OpenInteraction,
  session: LiveSession,
  { scopes, apis }: { scopes: readonly string[]; apis: readonly Api[] },
): Promise<FastifyReply> {
  const { client, interaction } = open;
  return sendPage(
    reply,
    200,
    consentPage({
      tenantName: tenant.name,
      app: await appOf(deps, client),
      publisher: publisherOf(client, interaction.request.redirectUri),
      destination: destinationOf(interaction.request.redirectUri),
      action: `/t/${tenant.id}/consent`,
      switchAccount: `/t/${tenant.id}/login?i=${open.id}`,
      interaction: open.id,
      csrf: csrfToken(knownBrowser(request) ?? '', `${tenant.id}/${open.id}`),
      scopes: scopes.filter(isAboutUser).map(wordsForScope),
      apiScopes: scopes.filter(isApiScope).map(wordsForScope),
      apis: [
        ...apis.map((api) => describedIn(api, scopes)),
        ...wholeApis(interaction.request.resources, apis, deps.issuer(tenant.id)),
      ],
      shown: scopes.join(' '),
      shownApis: apis.map(editionOf).join(' '),
      ownAccount: opensOwnAccount(interaction.request.resources, deps.issuer(tenant.id)),
      userName: session.userName,
      displayName: session.displayName,
      userCode: interaction.request.device?.userCode,
    }),
    formTargetOf(interaction.request.redirectUri),
  );
}

/** Returns the defined APIs of the scopes. */
async function apisOf(
  { apis }: AuthorizationDependencies,
  tenant: string,
  scopes: readonly string[],
): Promise<Api[]> {
  const names = scopes.filter((name) => !isKnownScope(name));
  return names.length === 0 ? [] : apis.ofScopes(tenant, names);
}

/** Returns the name of an API and the descriptions of the requested scopes. */
const describedIn = (api: Api, requested: readonly string[]): { name: string; scopes: string[] } => ({
  name: api.name,
  scopes: api.scopes
    .filter(({ name }) => requested.includes(name))
    .map((scope) => descriptionIn(reader().language, scope)),
});

/** Returns the requested resources other than the displayed APIs: tokens for them need no scope. */
function wholeApis(
  resources: readonly string[],
  displayed: readonly Api[],
  issuer: string,
): { name: string; scopes: string[] }[] {
  const known = [...ownResources(issuer), ...displayed.map(({ identifier }) => identifier)];
  return resources
    .filter((resource) => knownResource(resource, known) === undefined)
    .map((resource) => ({ name: resource, scopes: [words.consent.onBehalf] }));
}

const isAboutUser = (name: string): boolean => name !== 'openid' && isKnownScope(name) && !isApiScope(name);

const isApiScope = (name: string): boolean => Object.hasOwn(apiScopes, name);

/** Without a `resource` a token is for the tenant's own API. */
const opensOwnAccount = (resources: readonly string[], issuer: string): boolean =>
  resources.length === 0 || ownResources(issuer).some((own) => resources.includes(own));

/** Returns the publisher of a client that no administrator approved. */
const publisherOf = (client: Client, redirectUri: string): ConsentPage['publisher'] =>
  isUnapprovedClientId(client.clientId)
    ? { host: documentHostOf(client.clientId), onDevice: mayBeImpersonated(client, redirectUri) }
    : undefined;

/** The host identifies the destination; an app on the user's device has only its scheme. */
function destinationOf(redirectUri: string): string {
  const url = new URL(redirectUri);
  return url.host === '' ? url.protocol.slice(0, -1) : url.host;
}
