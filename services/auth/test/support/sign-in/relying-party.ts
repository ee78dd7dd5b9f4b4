import { afterAll, beforeAll, expect } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Client } from '../../../src/clients/domain/client.ts';
import type { Answer, Browser } from './browser.ts';
import {
  authorizeUrl,
  redeem,
  selfService,
  signIn,
  startTestService,
  type TestService,
  type TokenAnswer,
  tenant,
} from './service.ts';

export let service: TestService;
export let client: Client;
export let alice: { id: string; userName: string };
export let bob: { id: string; userName: string };

/** Starts a service with alice and bob as stored users, and a client without consent. */
export function setUpRelyingParty(): void {
  beforeAll(async () => {
    service = await startTestService();
    client = await service.client({
      require_consent: false,
      scope: `openid profile email groups offline_access ${selfService}`,
    });
    alice = await service.person('alice');
    bob = await service.person('bob');
  });
  afterAll(() => service.stop());
  beforeAll(async () => {
    // A user is stored here after the first sign-in.
    for (const name of ['alice', 'bob']) await signIn(service.browser(), client, name);
  });
}

/** Returns a browser in which a user is signed in, with the requested authentication class. */
export async function signedIn(
  o: { acr?: string; of?: string; person?: { id: string } } = {},
): Promise<Browser> {
  const browser = service.browser();
  const of = o.of ?? tenant;
  const started = await service.deps.sessions.start(
    of,
    {
      subjectId: (o.person ?? alice).id,
      amr: ['pwd'],
      acr: o.acr ?? 'urn:ostiary:acr:1fa',
      carriedRoles: null,
      userAgent: undefined,
      ipAddress: undefined,
    },
    undefined,
  );
  browser.cookies.set(`__Host-ostiary-${of}`, started?.cookie ?? '');
  return browser;
}

export const ask = (browser: Browser, fields: Record<string, string>, of = client): Promise<Answer> =>
  browser.get(authorizeUrl(of, { scope: 'openid profile', ...fields }));

export const outcome = (answer: Answer): URL => {
  expect(answer.location).toMatch(/^https:/);
  return new URL(answer.location ?? '');
};

export const errorOf = (answer: Answer): string | null => outcome(answer).searchParams.get('error');

export const claimsOf = async (
  answer: URL,
  of = client,
): Promise<Record<string, unknown> & { tokens: TokenAnswer['body'] }> => {
  const { body } = await redeem(service, of, answer);
  return { ...decodeJwt(String(body.id_token)), tokens: body };
};

export async function userinfo(accessToken: string, of = tenant): Promise<Record<string, unknown>> {
  const response = await fetch(`${service.origin}/t/${of}/userinfo`, {
    headers: { authorization: `Bearer ${accessToken}` },
  });
  return { status: response.status, ...((await response.json()) as object) };
}
