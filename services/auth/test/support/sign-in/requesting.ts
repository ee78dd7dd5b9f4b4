import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from '@jest/globals';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import type { ClientMetadata } from '../../../src/clients/domain/client-registry.ts';
import type { Answer, Browser } from './browser.ts';
import { callback, signIn, startTestService, type TestService, tenant, verifier } from './service.ts';

export let service: TestService;
/** User that is signed in in the browsers of `signedIn`. */
export let alice: { id: string; userName: string };

/** Starts a service that may fetch request objects from this machine. */
export function setUpRequesting(env: Record<string, string> = {}): void {
  beforeAll(async () => {
    service = await startTestService({
      env: { OUTGOING_ALLOW_PRIVATE: 'true', REQUEST_URIS_PER_MINUTE: '2000', ...env },
    });
    alice = await service.person('alice');
    // A user is stored here after the first sign-in.
    await signIn(service.browser(), await app(), 'alice');
  });
  afterAll(() => service?.stop());
}

export interface RequestKey {
  alg: string;
  privateKey: CryptoKey | KeyObject;
  jwk: JWK;
}

export async function newKey(alg = 'ES256', kid = 'mine'): Promise<RequestKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig' } };
}

export type App = Awaited<ReturnType<TestService['client']>>;

/** Registers an app of the tenant itself, without consent. */
export const app = (
  keys: readonly RequestKey[] = [],
  metadata: Partial<ClientMetadata> = {},
  of = tenant,
): Promise<App> =>
  service.client(
    {
      require_consent: false,
      ...(keys.length > 0 ? { jwks: { keys: keys.map(({ jwk }) => jwk) } } : {}),
      ...metadata,
    },
    of,
  );

export const now = (): number => Math.floor(Date.now() / 1_000);

type Claims = Record<string, unknown>;

/** Returns the claims of a valid request; a change to undefined omits a claim. */
export const claimsFor = (client: App, changes: Claims = {}): Claims =>
  Object.fromEntries(
    Object.entries({
      iss: client.clientId,
      aud: service.deps.issuer(client.tenant),
      exp: now() + 60,
      client_id: client.clientId,
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid profile',
      state: 'inside',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...changes,
    }).filter(([, value]) => value !== undefined),
  );

export const signed = (
  claims: Claims,
  { alg, privateKey }: { alg: string; privateKey: CryptoKey | KeyObject | Uint8Array },
  header: object = {},
): Promise<string> => new SignJWT(claims).setProtectedHeader({ alg, ...header }).sign(privateKey);

export const unsigned = (claims: Claims): string => new UnsecuredJWT(claims).encode();

/** Returns a browser in which alice is signed in. */
export async function signedIn(): Promise<Browser> {
  const browser = service.browser();
  const started = await service.deps.sessions.start(
    tenant,
    {
      subjectId: alice.id,
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

/** Opens the authorization endpoint with only the client and the given parameters. */
export async function open(
  client: { clientId: string; tenant: string },
  fields: Record<string, string>,
  browser?: Browser,
): Promise<Answer> {
  const query = new URLSearchParams({ client_id: client.clientId, ...fields });
  return (browser ?? (await signedIn())).get(`/t/${client.tenant}/authorize?${query}`);
}

/** Returns the parameters of the authorization response to the app. */
export const answerOf = (answer: Answer): Record<string, string> => {
  const { origin, pathname, searchParams } = new URL(answer.location ?? 'nowhere:');
  return { to: origin + pathname, ...Object.fromEntries(searchParams) };
};

/** The error is shown to the user and not sent to the app. */
export const stopped = { status: 400, location: undefined };

/** Server of an app for its request objects. */
export class Documents {
  readonly hits: string[] = [];
  readonly #server;
  readonly #answers = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();

  constructor() {
    this.#server = createServer((request, response) => {
      const path = request.url ?? '';
      this.hits.push(path);
      const answer = this.#answers.get(path);
      if (answer) answer(request, response);
      else response.writeHead(404).end();
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  start(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  serve(path: string, text: string, type = 'application/oauth-authz-req+jwt'): void {
    this.answer(path, (_request, response) => {
      response.setHeader('content-type', type).end(text);
    });
  }

  answer(path: string, how: (request: IncomingMessage, response: ServerResponse) => void): void {
    this.#answers.set(path, how);
  }

  asked(path: string): number {
    return this.hits.filter((hit) => hit === path).length;
  }
}

/** Returns a key pair whose public key text a vulnerable server would use as a secret. */
export const publicPem = (): { privateKey: KeyObject; jwk: JWK; pem: Buffer } => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    privateKey,
    jwk: publicKey.export({ format: 'jwk' }) as JWK,
    pem: Buffer.from(publicKey.export({ format: 'pem', type: 'spki' }).toString()),
  };
};
