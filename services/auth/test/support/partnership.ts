import { IssuerSubjects } from '../../src/oauth/trust/domain/issuer-subjects.ts';
import type { TrustedIssuer } from '../../src/oauth/trust/domain/trusted-issuer-store.ts';
import { type NewTrustedIssuer, TrustedIssuers } from '../../src/oauth/trust/domain/trusted-issuers.ts';
import { bearerGrant, person, SearchableDirectory, Signatory } from './assertions.ts';
import {
  type Answer,
  createBackend,
  type Fields,
  type RunningAuth,
  register,
  startAuth,
} from './running-auth.ts';

interface Credentials {
  id: string;
  secret: string;
}

/** Two processes, a directory, and a partner that is trusted as an issuer of assertions about users. */
export interface Partnership {
  auth: RunningAuth;
  /** A second process on the same databases. */
  other: RunningAuth;
  /** Starts a third process with separate settings. */
  third(env: Record<string, string>): Promise<RunningAuth>;
  directory: SearchableDirectory;
  /** Trusted with `app`; its subjects are the user names of this tenant. */
  partner: Signatory;
  app: Credentials;
  /** Client with the grant type that no issuer is trusted with. */
  stranger: Credentials;
  /** Id of the user bound to the subject alice@partner.example at every trusted issuer. */
  alice: string;
  /** Creates a stored user whose user name is bound as the partner's subject. */
  known(userName: string, o?: { active?: boolean; roles?: readonly string[] }): Promise<string>;
  client(tenant?: string, metadata?: Parameters<typeof register>[1]): Promise<Credentials>;
  trust(signatory: Signatory, o?: Partial<NewTrustedIssuer>): Promise<TrustedIssuer>;
  /** Presents an assertion; `as` null: without a client. */
  present(
    assertion: string,
    fields?: Fields,
    o?: { as?: Credentials | null; at?: RunningAuth; tenant?: string },
  ): Promise<Answer>;
  stop(): Promise<void>;
}

export const issuersOf = ({ deps }: RunningAuth) =>
  new TrustedIssuers({ ...deps, allowPrivate: true, clock: deps.kit.clock });

/** Binds a subject of an issuer to a user. */
export const bind = ({ deps }: RunningAuth, trustedIssuerId: string, subject: string, subjectId: string) =>
  new IssuerSubjects({ ...deps, clock: deps.kit.clock }).bind(
    'demo',
    { trustedIssuerId, subject, subjectId, carriedRoles: null },
    () => undefined,
  );

export const refused = { status: 400, body: { error: 'invalid_grant' } };

/** Registers a client that may present assertions. */
async function registerBearer(
  auth: RunningAuth,
  tenant: string,
  metadata: NonNullable<Parameters<typeof register>[1]>,
): Promise<Credentials> {
  const registered = await register(
    auth,
    {
      grant_types: [bearerGrant],
      redirect_uris: [],
      scope: 'openid profile email groups offline_access users:read',
      ...metadata,
    },
    tenant,
  );
  return { id: registered.client.clientId, secret: registered.clientSecret ?? '' };
}

export async function startPartnership(): Promise<Partnership> {
  const directory = new SearchableDirectory();
  const backend = await createBackend();
  const env = { DIRECTORY_URL: await directory.start(), OUTGOING_ALLOW_PRIVATE: 'true' };
  const publicOrigin = 'http://id.test';
  const auth = await startAuth(backend, { env, publicOrigin });
  const other = await startAuth(backend, { env, publicOrigin });
  const client: Partnership['client'] = (tenant = 'demo', metadata = {}) =>
    registerBearer(auth, tenant, metadata);
  const app = await client();
  const alice = await person(auth, 'alice@partner.example');
  const trust: Partnership['trust'] = async (signatory, o = {}) => {
    const trusted = await issuersOf(auth).create('demo', {
      name: 'Partner',
      issuer: signatory.issuer,
      ...(o.jwksUri === undefined ? { jwks: signatory.jwks } : {}),
      clientIds: [app.id],
      scopes: ['openid', 'profile', 'users:read'],
      ...o,
    });
    await bind(auth, trusted.id, 'alice@partner.example', alice);
    return trusted;
  };
  const partner = await Signatory.create('https://partner.example');
  const { id: partnerId } = await trust(partner);
  return {
    auth,
    other,
    third: (settings) => startAuth(backend, { env: { ...env, ...settings }, publicOrigin }),
    directory,
    partner,
    app,
    stranger: await client(),
    alice,
    async known(userName, o = {}) {
      const id = await person(auth, userName, o);
      await bind(auth, partnerId, userName, id);
      return id;
    },
    client,
    trust,
    present: (assertion, fields = {}, o = {}) => {
      const as = o.as === undefined ? app : o.as;
      return (o.at ?? auth).post(
        `/t/${o.tenant ?? 'demo'}/token`,
        { grant_type: bearerGrant, assertion, ...fields },
        as ? { basic: [as.id, as.secret] } : {},
      );
    },
    stop: async () => {
      await auth.stop();
      await other.stop();
      await backend.drop();
      directory.stop();
    },
  };
}
