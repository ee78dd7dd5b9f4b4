import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { readDocument } from '../../src/clients/documents/domain/document.ts';
import { documentOf, PublishedDocuments } from './published-documents.ts';
import { type Asking, startAsking } from './sign-in/asking.ts';
import type { Answer, Browser } from './sign-in/browser.ts';
import { authorizeUrl, rival, signIn, type TestService, tenant, token, verifier } from './sign-in/service.ts';

/** Set by `setUpDocuments`. */
export let asking: Asking;
export let service: TestService;
export let documents: PublishedDocuments;
export let alice: { id: string; userName: string };
export let bob: { id: string; userName: string };

/** Redirect URI of a native client, with a port that its system chose. */
export const loopback = 'http://localhost:43217/callback';

/** Starts a publisher, and a service with alice and bob whose tenant accepts the documents of the publisher. */
export function setUpDocuments(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    documents = await new PublishedDocuments().start();
    asking = await startAsking({ OUTGOING_ALLOW_PRIVATE: 'true', REQUEST_URIS_PER_MINUTE: '2000', ...env });
    service = asking.service;
    alice = await service.person('alice');
    bob = await service.person('bob');
    await service.person('ruth', { tenant: rival });
    const app = await service.client({ require_consent: false });
    for (const { userName } of [alice, bob]) await signIn(service.browser(), app, userName);
    await allow([documents.host]);
  });
  afterAll(async () => {
    await service?.stop();
    await documents?.stop();
  });
}

export const allow = (hosts: string[], more: object = {}, of = tenant) =>
  service.deps.documentClientStore.changePolicy(of, { hosts, ...more });

/** Returns a path that no other test uses. */
export const newPath = (): string => `/${randomUUID()}/client.json`;

export async function signedIn(person = alice): Promise<Browser> {
  const browser = service.browser();
  const started = await service.deps.sessions.start(
    tenant,
    {
      subjectId: person.id,
      amr: ['pwd'],
      acr: 'urn:ostiary:acr:1fa',
      carriedRoles: null,
      userAgent: undefined,
      ipAddress: undefined,
    },
    undefined,
  );
  browser.cookies.set(`__Host-ostiary-${tenant}`, started?.cookie ?? '');
  return browser;
}

/** Opens an authorization request and follows it to a page, or to the client. */
export const open = async (
  browser: Browser,
  clientId: string,
  fields: Record<string, string | undefined> = {},
  of = tenant,
): Promise<Answer> =>
  browser.follow(
    await browser.get(
      authorizeUrl(
        { clientId, tenant: of },
        { redirect_uri: loopback, scope: 'openid offline_access', ...fields },
      ),
    ),
  );

/** Allows the request on the consent page, and returns the response to the client. */
export async function allowOn(browser: Browser, page: Answer): Promise<URL> {
  const { status, location, text } = await browser.submit(page, { action: 'allow' });
  if (location === undefined) throw new Error(`no redirect but ${status}: ${text}`);
  return new URL(location);
}

export const redeemed = (
  clientId: string,
  answer: URL,
  fields: Record<string, string> = {},
  redirectUri = loopback,
) =>
  token(
    service,
    { clientId, tenant },
    {
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      ...fields,
    },
  );

/** Signs alice in with the client, and returns its tokens. */
export async function tokensOf(clientId: string, fields: Record<string, string> = {}) {
  const browser = await signedIn();
  const page = await open(browser, clientId, fields);
  return (await redeemed(clientId, await allowOn(browser, page))).body;
}

export const refreshed = (
  clientId: string,
  refreshToken: string | undefined,
  fields: Record<string, string> = {},
) =>
  token(
    service,
    { clientId, tenant },
    { grant_type: 'refresh_token', refresh_token: refreshToken ?? '', ...fields },
  );

/** Stores a changed document, as another process does that fetched it later. */
export const fetchedElsewhere = (clientId: string, changes: Record<string, unknown>) =>
  service.deps.documentClientStore.store(
    { tenant, clientId },
    readDocument(clientId, Buffer.from(JSON.stringify(documentOf(clientId, changes)))),
  );

/** Returns the stored client. */
export const stored = (clientId: string, of = tenant) => service.deps.clients.find(of, clientId);
