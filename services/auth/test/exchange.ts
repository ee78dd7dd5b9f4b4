import { accessTokenType, exchangeGrant } from './assertions.ts';
import {
  type Answer,
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

/** What a person's sign-in gave to a client. */
export interface Given {
  token: string;
  refreshToken: string;
  idToken: string;
  person: { subjectId: string; sessionId: string };
}

/** Two processes, and services that call each other with tokens. */
export interface Services {
  auth: RunningAuth;
  /** A second process on the same databases. */
  other: RunningAuth;
  /** A public client that people sign in to. */
  web: string;
  /** May exchange the tokens of `web`. */
  api: Confidential;
  /** May exchange the tokens of `api`. */
  backOffice: Confidential;
  /** May exchange the tokens of both, without being named. */
  impersonator: Confidential;
  /** May exchange nobody's. */
  stranger: Confidential;
  stop(): Promise<void>;
}

const scopes = 'openid profile email groups offline_access';

export async function confidential(
  auth: RunningAuth,
  metadata: Parameters<typeof register>[1],
): Promise<Confidential> {
  const { client, clientSecret } = await register(auth, {
    grant_types: ['client_credentials', exchangeGrant],
    redirect_uris: [],
    scope: scopes,
    ...metadata,
  });
  return { id: client.clientId, secret: clientSecret ?? '' };
}

export async function startServices(): Promise<Services> {
  const backend = await createBackend();
  const publicOrigin = 'http://id.test';
  const auth = await startAuth(backend, { publicOrigin });
  const other = await startAuth(backend, { publicOrigin });
  const web = (await register(auth, { ...publicClient, resources: ['https://api.example'] })).client.clientId;
  const api = await confidential(auth, {
    token_exchange_subject_clients: [web],
    scope: `${scopes} users:read users:write`,
    resources: ['https://api.example'],
  });
  return {
    auth,
    other,
    web,
    api,
    backOffice: await confidential(auth, { token_exchange_subject_clients: [api.id] }),
    impersonator: await confidential(auth, {
      token_exchange_subject_clients: [web, api.id],
      token_exchange_impersonation: true,
    }),
    stranger: await confidential(auth, {}),
    stop: async () => {
      await auth.stop();
      await other.stop();
      await backend.drop();
    },
  };
}

/** A person signs in to a client. */
export async function signInTo(
  auth: RunningAuth,
  clientId: string,
  o: Parameters<typeof issueCode>[2] = {},
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

export const exchangeToken = (
  auth: RunningAuth,
  client: Confidential,
  subjectToken: string,
  fields: Fields = {},
): Promise<Answer> =>
  auth.post(
    '/t/demo/token',
    {
      grant_type: exchangeGrant,
      subject_token: subjectToken,
      subject_token_type: accessTokenType,
      ...fields,
    },
    { basic: [client.id, client.secret] },
  );

/** A client's token for itself. */
export async function ownToken(auth: RunningAuth, client: Confidential): Promise<string> {
  const { body } = await auth.post(
    '/t/demo/token',
    { grant_type: 'client_credentials' },
    { basic: [client.id, client.secret] },
  );
  return String(body.access_token);
}

/** Whether a token lives: by the database, and by the revocation list of each process. */
export async function lives(
  token: unknown,
  processes: readonly RunningAuth[],
): Promise<{ database: boolean; verifiers: boolean[] }> {
  const audience = String([claimsOf(token).aud].flat()[0]);
  const found = await processes[0]?.deps.introspection.liveAccessToken('demo', String(token));
  return {
    database: Boolean(found),
    verifiers: await Promise.all(
      processes.map((one) =>
        one.deps.verifier.verify(String(token), { audience }).then(
          () => true,
          () => false,
        ),
      ),
    ),
  };
}
