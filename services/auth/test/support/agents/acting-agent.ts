import type { Client } from '../../../src/clients/domain/client.ts';
import { accessTokenType, exchangeGrant } from '../assertions.ts';
import { redeem, signInAndAllow, type TestService, tenant, token } from '../sign-in/service.ts';

/** A user with a grant to an app, and an agent that acts for the user under it. */
export interface ActingAgent {
  user: { id: string; accessToken: string };
  agentId: string;
  secret: string;
  delegationId: string;
  /** Token of the agent. */
  accessToken: string;
  /** Exchanges the user's token again. */
  exchange(): ReturnType<typeof token>;
}

/** Registers an app for users. */
export const appFor = (service: TestService, of = tenant): Promise<Client> =>
  service.client({ require_consent: false }, of);

/** Exchanges the token of a user for one of an agent. */
export const exchangeFor = (
  service: TestService,
  agent: { clientId: string; secret: string; tenant: string },
  subjectToken: string,
) =>
  token(service, agent, {
    grant_type: exchangeGrant,
    client_secret: agent.secret,
    subject_token: subjectToken,
    subject_token_type: accessTokenType,
  });

/**
 * Signs a user in and lets an agent act for the user.
 * @param given a registered agent; default: a new one
 */
export async function actingAgent(
  service: TestService,
  userName: string,
  {
    of = tenant,
    app,
    given,
  }: { of?: string; app?: Client; given?: { clientId: string; secret: string } } = {},
): Promise<ActingAgent> {
  const used = app ?? (await appFor(service, of));
  const registered = given ?? (await newAgent(service, used, of));
  const agent = { ...registered, tenant: of };
  const { id } = await service.person(userName, { tenant: of });
  const { body } = await redeem(service, used, await signInAndAllow(service.browser(), used, userName));
  const accessToken = body.access_token ?? '';
  const exchange = () => exchangeFor(service, agent, accessToken);
  const exchanged = await exchange();
  const [delegation] = await service.deps.delegationList.page(
    of,
    { userId: id },
    { limit: 1, direction: 'forward' },
  );
  if (!delegation) throw new Error(`no delegation: ${JSON.stringify(exchanged.body)}`);
  return {
    user: { id, accessToken },
    agentId: agent.clientId,
    secret: agent.secret,
    delegationId: delegation.id,
    accessToken: exchanged.body.access_token ?? '',
    exchange,
  };
}

/** Registers an agent for the users of an app. */
export async function newAgent(
  service: TestService,
  app: Client,
  of = tenant,
): Promise<{ clientId: string; secret: string }> {
  const { clientId, secret = '' } = await service.client(
    {
      client_name: 'Agent',
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: [exchangeGrant],
      redirect_uris: [],
      scope: 'openid profile',
      token_exchange_agent: true,
      token_exchange_subject_clients: [app.clientId],
    },
    of,
  );
  return { clientId, secret };
}
