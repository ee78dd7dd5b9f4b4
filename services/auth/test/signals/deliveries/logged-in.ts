import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Client } from '../../../src/clients/domain/client.ts';
import type { ClientMetadata } from '../../../src/clients/domain/client-registry.ts';
import type { Browser } from '../../support/sign-in/browser.ts';
import {
  authorizeUrl,
  callback,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  verifier,
} from '../../support/sign-in/service.ts';
import { LogoutReceiver } from './logout-receiver.ts';

export let service: TestService;
const receivers: LogoutReceiver[] = [];

/** Starts a service that may send to this machine and retries immediately. */
export function setUpLogout(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    service = await startTestService({
      env: { OUTGOING_ALLOW_PRIVATE: 'true', DELIVERY_RETRY_FIRST_SECONDS: '0', ...env },
    });
  });
  afterAll(() => service.stop());
  afterEach(() => {
    for (const receiver of receivers.splice(0)) receiver.stop();
  });
}

export interface RelyingParty {
  client: Client & { secret: string | undefined };
  receiver: LogoutReceiver;
}

/** Registers a client with a receiver of logout tokens. */
export async function relyingParty(
  metadata: Partial<ClientMetadata> = {},
  of = tenant,
): Promise<RelyingParty> {
  const receiver = await new LogoutReceiver().start();
  receivers.push(receiver);
  const client = await service.client(
    {
      token_endpoint_auth_method: 'client_secret_post',
      require_consent: false,
      backchannel_logout_uri: receiver.uri,
      ...metadata,
    },
    of,
  );
  receiver.registered = {
    issuer: service.deps.issuer(of),
    clientId: client.clientId,
    alg: client.idTokenSignedResponseAlg,
    jwksUri: `${service.origin}/t/${of}/jwks`,
  };
  return { client, receiver };
}

export interface SignedInApp {
  browser: Browser;
  idToken: string;
  accessToken: string;
  refreshToken: string;
  sub: string;
  sid: string;
}

/** Signs a user in to an app. With the browser of a session, the app joins that session. */
export async function signInTo(
  { client }: Pick<RelyingParty, 'client'>,
  userName: string,
  o: { browser?: Browser; scope?: string } = {},
): Promise<SignedInApp> {
  const browser = o.browser ?? service.browser();
  const fields = { scope: o.scope ?? 'openid profile' };
  const answer = o.browser
    ? new URL((await browser.get(authorizeUrl(client, fields))).location ?? '')
    : await signInAndAllow(browser, client, userName, fields);
  const { body } = await token(service, client, {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: callback,
    code_verifier: verifier,
    client_secret: client.secret ?? '',
  });
  if (body.id_token === undefined) throw new Error(`no ID token: ${JSON.stringify(body)}`);
  const { sub, sid } = decodeJwt(body.id_token);
  return {
    browser,
    idToken: body.id_token,
    accessToken: body.access_token ?? '',
    refreshToken: body.refresh_token ?? '',
    sub: String(sub),
    sid: String(sid),
  };
}

/** Reports whether a refresh token can still be used. */
export async function refreshes(
  { client }: Pick<RelyingParty, 'client'>,
  refreshToken: string,
): Promise<boolean> {
  const { status } = await token(service, client, {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    client_secret: client.secret ?? '',
  });
  return status === 200;
}

export const signOut = (browser: Browser, idToken: string, of = tenant) =>
  browser.get(`/t/${of}/logout?${new URLSearchParams({ id_token_hint: idToken })}`);

/** Returns all deliveries to a client. */
export async function deliveries(
  clientId: string,
): Promise<{ id: string; state: string; attempts: number; error: string | null }[]> {
  const { rows } = await service.deps.database.sql.query<{
    id: string;
    state: string;
    attempts: number;
    error: string | null;
  }>(
    `SELECT id, state, attempts, last_error AS error FROM auth.deliveries WHERE receiver_id = $1 ORDER BY position`,
    [clientId],
  );
  return rows;
}
