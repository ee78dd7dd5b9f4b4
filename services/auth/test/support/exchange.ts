import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { accessTokenType, exchangeGrant } from './assertions.ts';
import {
  type Answer,
  type Backend,
  claimsOf,
  createBackend,
  type Fields,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

export interface Confidential {
  id: string;
  secret: string;
}

/** Tokens of a client from a user's sign-in. */
export interface Given {
  token: string;
  refreshToken: string;
  idToken: string;
  person: { subjectId: string; sessionId: string };
}

export let auth: RunningAuth;
/** A second process on the same databases. */
export let other: RunningAuth;
/** Public client that users sign in to. */
export let web: string;
/** May exchange the tokens of `web`. */
export let api: Confidential;
/** May exchange the tokens of `api`. */
export let backOffice: Confidential;
/** May exchange the tokens of both, without being named. */
export let impersonator: Confidential;
/** May exchange no tokens. */
export let stranger: Confidential;
/** Tokens from the sign-in to `web` before each test. */
export let given: Given;

const scopes = 'openid profile email groups offline_access';

export async function confidential(metadata: Parameters<typeof register>[1]): Promise<Confidential> {
  const { client, clientSecret } = await register(auth, {
    grant_types: ['client_credentials', exchangeGrant],
    redirect_uris: [],
    scope: scopes,
    ...metadata,
  });
  return { id: client.clientId, secret: clientSecret ?? '' };
}

/** Starts two processes, and registers services that call each other with tokens; before each test a user signs in. */
export function setUpExchange(): void {
  let backend: Backend;

  beforeAll(async () => {
    const publicOrigin = 'http://id.test';
    backend = await createBackend();
    auth = await startAuth(backend, { publicOrigin });
    other = await startAuth(backend, { publicOrigin });
    const ofUsers = { ...publicClient, scope: `${scopes} self:tokens`, resources: ['https://api.example'] };
    web = (await register(auth, ofUsers)).client.clientId;
    api = await confidential({
      token_exchange_subject_clients: [web],
      scope: `${scopes} users:read users:write`,
      resources: ['https://api.example'],
    });
    backOffice = await confidential({ token_exchange_subject_clients: [api.id] });
    impersonator = await confidential({
      token_exchange_subject_clients: [web, api.id],
      token_exchange_impersonation: true,
    });
    stranger = await confidential({});
  });

  afterAll(async () => {
    await auth?.stop();
    await other?.stop();
    await backend?.drop();
  });

  beforeEach(async () => {
    given = await signIn();
  });
}

export async function signIn(
  o: NonNullable<Parameters<typeof issueCode>[2]> = {},
  clientId = web,
): Promise<Given> {
  const code = await issueCode(auth, clientId, {
    scopes: ['openid', 'profile', 'email', 'groups', 'offline_access'],
    ...o,
  });
  const { body } = await auth.post(`/t/${o.tenant ?? 'demo'}/token`, code.form);
  return {
    token: String(body.access_token),
    refreshToken: String(body.refresh_token),
    idToken: String(body.id_token),
    person: code.person,
  };
}

/** Exchanges the given access token, unless the fields name another. */
export const exchange = (client: Confidential, fields: Fields = {}): Promise<Answer> =>
  auth.post(
    '/t/demo/token',
    {
      grant_type: exchangeGrant,
      subject_token: given.token,
      subject_token_type: accessTokenType,
      ...fields,
    },
    { basic: [client.id, client.secret] },
  );

/** Returns a client's token for itself. */
export async function own(client: Confidential): Promise<string> {
  const { body } = await auth.post(
    '/t/demo/token',
    { grant_type: 'client_credentials' },
    { basic: [client.id, client.secret] },
  );
  return String(body.access_token);
}

/** Returns the status of userinfo for a token at the second process. */
export const userinfo = async (token: unknown): Promise<number> =>
  (await other.get('/t/demo/userinfo', { authorization: `Bearer ${String(token)}` })).status;

export const alive = { database: true, followed: [true, true], verifiers: [true, true] };

/**
 * Reports whether a token is valid: by the database, by the cache of each process, and by the revocation list of each.
 */
export async function lives(
  token: unknown,
): Promise<{ database: boolean; followed: boolean[]; verifiers: boolean[] }> {
  const audience = String([claimsOf(token).aud].flat()[0]);
  const found = await auth.deps.introspection.liveAccessToken('demo', String(token));
  return {
    database: Boolean(found),
    followed: await Promise.all(
      [auth, other].map(async (one) =>
        Boolean(await one.deps.introspection.followedAccessToken('demo', String(token))),
      ),
    ),
    verifiers: await Promise.all(
      [auth, other].map((one) =>
        one.deps.verifier.verify(String(token), { audience }).then(
          () => true,
          () => false,
        ),
      ),
    ),
  };
}
