import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { DemoFile } from '@ostiary/embedded/system';

/** Origin of the suite for browsers and the server. */
export const suiteOrigin = process.env.SUITE_ORIGIN ?? 'https://suite.conformance.test:8443';

const home = resolve(import.meta.dirname, '../..', process.env.OSTIARY_HOME || '.ostiary');
let read: DemoFile | undefined;
const demoFile = (): DemoFile => {
  read ??= JSON.parse(readFileSync(join(home, 'demo.json'), 'utf8')) as DemoFile;
  return read;
};
const demo = () => demoFile().tenants.demo;

export const issuerUnderTest = (): string => demo().issuer;

interface Payload {
  problems: { message: string }[];
}

/** Runs a mutation as the administration client of the demo tenant. */
async function mutate<T>(name: string, type: string, input: unknown, selection: string): Promise<T> {
  const { client_id, client_secret } = demo().clients.admin;
  const granted = await fetch(`${demo().issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
  });
  const { access_token } = (await granted.json()) as { access_token: string };
  const answer = await fetch(demoFile().graphql, {
    method: 'POST',
    headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `mutation ($input: ${type}!) { ${name}(input: $input) { problems { message } ${selection} } }`,
      variables: { input },
    }),
  });
  const { data, errors } = (await answer.json()) as { data?: Record<string, T & Payload>; errors?: unknown };
  const payload = data?.[name];
  if (payload === undefined || errors !== undefined || payload.problems.length > 0) {
    throw new Error(`${name}: ${JSON.stringify(errors ?? payload?.problems)}`);
  }
  return payload;
}

/** Settings for software without PKCE, nonce (as Basic OP demands) and signed requests. */
const leniency = { codeProtection: 'NONE', requestObjectSigningAlg: 'NONE' };

/**
 * Exempts an app that registered itself from PKCE and signed requests. A signing algorithm in its own metadata stays.
 */
export const exempt = (app: { client_id: string; request_object_signing_alg?: string }): Promise<unknown> => {
  const { requestObjectSigningAlg, ...rest } = leniency;
  const unsaid = app.request_object_signing_alg === undefined ? { requestObjectSigningAlg } : {};
  return mutate('updateClient', 'UpdateClientInput', { id: app.client_id, ...rest, ...unsaid }, '');
};

export const rotateKeys = (): Promise<unknown> =>
  mutate('rotateSigningKeys', 'RotateSigningKeysInput', {}, '');

export interface TestClient {
  client_id: string;
  client_secret?: string;
  jwks?: { keys: JsonWebKey[] };
}

async function register(input: Record<string, unknown>): Promise<TestClient> {
  const { client, clientSecret } = await mutate<{ client: { id: string }; clientSecret: string | null }>(
    'registerClient',
    'RegisterClientInput',
    input,
    'client { id } clientSecret',
  );
  return { client_id: client.id, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
}

const signIn = ['openid', 'profile', 'email', 'address', 'phone', 'offline_access'];

/** Registers an app with user sign-in. Its tests are at /test/a/{alias} of the suite. */
export function web(name: string, alias: string, o: Record<string, unknown> = {}): Promise<TestClient> {
  const base = `${suiteOrigin}/test/a/${alias}`;
  return register({
    name,
    tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: [`${base}/callback`, `${base}/callback?dummy1=lorem&dummy2=ipsum`],
    postLogoutRedirectUris: [`${base}/post_logout_redirect`],
    scopes: signIn,
    ...leniency,
    ...o,
  });
}

/** Registers a client of the FAPI 2.0 Security Profile and returns its private key. */
export async function fapi(name: string, alias: string): Promise<TestClient> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const about = { kid: name, alg: 'PS256', use: 'sig' };
  const jwk = (half: typeof publicKey) => ({ ...half.export({ format: 'jwk' }), ...about });
  const client = await web(name, alias, {
    tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT',
    jwks: JSON.stringify({ keys: [jwk(publicKey)] }),
    profile: 'FAPI2',
    grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'],
    scopes: [...signIn, 'ssf.read'],
    codeProtection: 'PKCE',
    requestObjectSigningAlg: null,
  });
  return { ...client, jwks: { keys: [jwk(privateKey)] } };
}

export const receiver = (name: string): Promise<TestClient> =>
  register({
    name,
    tokenEndpointAuthMethod: 'CLIENT_SECRET_POST',
    grantTypes: ['client_credentials'],
    scopes: ['ssf.read', 'ssf.manage'],
  });

/** Creates the token with which apps register themselves. */
export const initialAccessToken = async (): Promise<string> =>
  (
    await mutate<{ token: string }>(
      'createInitialAccessToken',
      'CreateInitialAccessTokenInput',
      { name: 'conformance', uses: 1_000, scopes: signIn },
      'token',
    )
  ).token;

export const person = {
  userName: 'carol',
  password: 'violet-harbour-92-lantern',
  email: 'carol@demo.example',
};

/** Creates a user with every SCIM attribute that OpenID Connect claims need. */
export async function makeUser(): Promise<string> {
  const { Resources = [] } = await scim(
    'GET',
    `/Users?filter=${encodeURIComponent(`userName eq "${person.userName}"`)}`,
  );
  const [known] = Resources as { id: string }[];
  if (known !== undefined) return known.id;
  const answer = await scim('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: person.userName,
    password: person.password,
    displayName: 'Carol Carter',
    nickName: 'Caz',
    profileUrl: 'https://people.example.com/carol',
    name: { givenName: 'Carol', familyName: 'Carter', middleName: 'Mary', formatted: 'Carol Mary Carter' },
    emails: [{ value: person.email, type: 'work', primary: true }],
    phoneNumbers: [{ value: 'tel:+1-201-555-0123', type: 'work', primary: true }],
    addresses: [
      {
        type: 'work',
        streetAddress: '100 Universal City Plaza',
        locality: 'Hollywood',
        region: 'CA',
        postalCode: '91608',
        country: 'US',
        primary: true,
      },
    ],
    photos: [{ value: 'https://people.example.com/carol.png', type: 'photo' }],
    locale: 'en-GB',
    timezone: 'Europe/London',
  });
  return String(answer.id);
}

/** Triggers CAEP events: a changed credential and ended sessions. */
export async function causeEvents(id: string): Promise<void> {
  await scim('PATCH', `/Users/${id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'password', value: person.password }],
  });
  await mutate('revokeAllSessions', 'RevokeAllSessionsInput', { userId: id }, '');
}

async function scim(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${demo().scim}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${demo().clients.scim.token}`,
      'content-type': 'application/scim+json',
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
