import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiScopes } from '@ostiary/access';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import * as client from 'openid-client';
import { type Demo, type DemoTenant, type DemoUser, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, discoverOnce, everyOwnScope } from '../support/sign-in.ts';

/** The user that a partner's assertion names. */
interface Subject {
  id: string;
  user: Pick<DemoUser, 'userName'>;
}

type Process = 'gateway' | 'auth' | 'directory' | 'provisioning';

const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code';

/** A tenant, with the operations of its administrator and its identity source. */
export interface Place {
  demo: Demo;
  id: string;
  tenant: DemoTenant;
  urls: Readonly<Record<Process, string>>;
  scim: ScimClient;
  /**
   * Executes a mutation as the tenant's administration client and returns the value of its only field. @throws Error
   * with the answer of the graph
   */
  change<T = Record<string, string>>(
    name: string,
    inputType: string,
    input: object,
    selection: string,
  ): Promise<T>;
  /** The partner's client and issuer, with a function that returns assertions for it. */
  partner: { config: client.Configuration; issuerId: string; assertionOf(subject: Subject): Promise<string> };
}

/** Clients of one scene, so that changes to them affect no other scene. */
export interface Apps {
  /** Public client with codes, device codes and refresh tokens; asks for consent. */
  app: client.Configuration;
  otherApp: client.Configuration;
  /** A client without any consent. */
  newApp: client.Configuration;
  /** Exchanges tokens of `app`. */
  service: client.Configuration;
  /** Acts for users of `app` as an agent. */
  agent: client.Configuration;
  /** Exchanges tokens of `service`. */
  nextService: client.Configuration;
}

export const clientIdOf = (config: client.Configuration): string => config.clientMetadata().client_id;

function processes(demo: Demo): Place['urls'] {
  const file = process.env.OSTIARY_E2E_SYSTEM;
  if (file) return (JSON.parse(readFileSync(file, 'utf8')) as { urls: Place['urls'] }).urls;
  const port = Number(new URL(demo.origin).port);
  const at = (offset: number): string => `http://127.0.0.1:${port + offset}`;
  return { gateway: at(0), auth: at(1), directory: at(2), provisioning: at(3) };
}

/** Uses an existing tenant and adds a partner. @param urls of each process */
export async function placeOf(demo: Demo, tenant: DemoTenant, urls = processes(demo)): Promise<Place> {
  let admin = await adminToken(tenant);
  const change: Place['change'] = async (name, inputType, input, selection) => {
    const document = `mutation ($input: ${inputType}!) { ${name}(input: $input) { ${selection} } }`;
    let answer = await graph(demo, admin, document, { input });
    if (answer.status === 401) {
      admin = await adminToken(tenant);
      answer = await graph(demo, admin, document, { input });
    }
    if (answer.errors.length > 0) throw new Error(`${name}: ${JSON.stringify(answer.errors)}`);
    return answer.data[name];
  };
  return {
    demo,
    id: new URL(tenant.issuer).pathname.split('/').at(-1) ?? '',
    tenant,
    urls,
    scim: new ScimClient(tenant, tenant.clients.scim.token),
    change,
    partner: await partnerOf(tenant, change),
  };
}

async function partnerOf(tenant: DemoTenant, change: Place['change']): Promise<Place['partner']> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const issuer = `https://${unique('partner')}.example`;
  const config = await register(tenant, change, {
    grantTypes: [bearerGrant],
    scopes: ['openid', 'profile'],
  });
  const { trustedIssuer } = await change<{ trustedIssuer: { id: string } }>(
    'createTrustedIssuer',
    'CreateTrustedIssuerInput',
    {
      name: 'Partner',
      issuer,
      jwks: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] }),
      clientIds: [clientIdOf(config)],
      scopes: ['openid', 'profile'],
    },
    'trustedIssuer { id }',
  );
  const meant = new Set<string>();
  return {
    config,
    issuerId: trustedIssuer.id,
    async assertionOf({ id, user: { userName } }) {
      const bound = { trustedIssuerId: trustedIssuer.id, subject: userName, userId: id };
      if (!meant.has(userName))
        await change('bindIssuerSubject', 'BindIssuerSubjectInput', bound, '__typename');
      meant.add(userName);
      return assertion(tenant, { iss: issuer, sub: userName }, privateKey);
    },
  };
}

/** Returns a signed assertion (RFC 7523 §3). */
const assertion = (
  tenant: DemoTenant,
  { iss, sub }: { iss: string; sub: string },
  privateKey: CryptoKey,
): Promise<string> =>
  new SignJWT({ jti: crypto.randomUUID() })
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(iss)
    .setSubject(sub)
    .setAudience(tenant.issuer)
    .setIssuedAt()
    .setExpirationTime('2 minutes')
    .sign(privateKey);

/** A service account, which belongs to no user, with a key of each kind. */
export interface Account {
  id: string;
  apiKey: string;
  /** Requests a new access token with its own key. */
  token(): Promise<string>;
}

/** Creates a service account for one scene. */
export async function newAccount({ tenant, change }: Place): Promise<Account> {
  const { serviceAccount } = await change<{ serviceAccount: { id: string } }>(
    'createServiceAccount',
    'CreateServiceAccountInput',
    { name: unique('Job'), scopes: ['users:read', 'groups:read'] },
    'serviceAccount { id }',
  );
  const { id } = serviceAccount;
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwk = JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'one' });
  const [{ token: apiKey = '' }] = await Promise.all([
    change('createApiKey', 'CreateApiKeyInput', { serviceAccountId: id, name: 'Key' }, 'token'),
    change('addServiceAccountKey', 'AddServiceAccountKeyInput', { serviceAccountId: id, jwk }, '__typename'),
  ]);
  const config = await discoverOnce(tenant, id);
  return {
    id,
    apiKey,
    async token() {
      const own = { assertion: await assertion(tenant, { iss: id, sub: id }, privateKey) };
      return (await client.genericGrantRequest(config, bearerGrant, own)).access_token;
    },
  };
}

/** Requests the token for a partner's assertion. */
export const byAssertion = async (
  { partner }: Place,
  subject: Subject,
): Promise<client.TokenEndpointResponse> =>
  client.genericGrantRequest(partner.config, bearerGrant, {
    assertion: await partner.assertionOf(subject),
  });

async function register(
  tenant: DemoTenant,
  change: Place['change'],
  input: object,
): Promise<client.Configuration> {
  const registered = await change<{ client: { id: string }; clientSecret: string | null }>(
    'registerClient',
    'RegisterClientInput',
    { name: unique('App'), ...input },
    'client { id } clientSecret',
  );
  return discoverOnce(tenant, registered.client.id, registered.clientSecret ?? undefined);
}

/** @param ofCompany scopes of APIs of the organization */
export async function newApps({ tenant, change }: Place, ofCompany: readonly string[]): Promise<Apps> {
  const scopes = everyOwnScope.split(' ');
  const app = (more: readonly string[] = []): Promise<client.Configuration> =>
    register(tenant, change, {
      tokenEndpointAuthMethod: 'NONE',
      grantTypes: ['authorization_code', 'refresh_token', deviceGrant],
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: [...scopes, ...more],
    });
  const exchanging = (subjectClient: client.Configuration, agent = false): Promise<client.Configuration> =>
    register(tenant, change, {
      grantTypes: ['client_credentials', exchangeGrant],
      scopes: [...scopes.filter((scope) => scope !== 'offline_access'), 'users:read'],
      tokenExchange: { subjectClients: [clientIdOf(subjectClient)], agent },
      protectedResources: ['urn:ostiary:tenant-api'],
    });
  const [first, otherApp, newApp] = await Promise.all([app(ofCompany), app(), app()]);
  const [service, agent] = await Promise.all([exchanging(first), exchanging(first, true)]);
  return { app: first, otherApp, newApp, service, agent, nextService: await exchanging(service) };
}

/** Creates a connector for one scene. */
export async function newConnector({ change }: Place): Promise<{ id: string; token: string }> {
  const { connector, token } = await change<{ connector: { id: string }; token: string }>(
    'createConnector',
    'CreateConnectorInput',
    { name: unique('HR') },
    'connector { id } token',
  );
  return { id: connector.id, token };
}

const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

/** Returns the token that a service gets by token exchange, acting for its subject (RFC 8693). */
export async function exchange(
  service: client.Configuration,
  subjectToken: string,
  actorToken?: string,
): Promise<string> {
  const { access_token } = await client.genericGrantRequest(service, exchangeGrant, {
    subject_token: subjectToken,
    subject_token_type: accessToken,
    ...(actorToken === undefined ? {} : { actor_token: actorToken, actor_token_type: accessToken }),
  });
  return access_token;
}

/** Operations of the installation's operator. */
export interface Operator {
  /** Creates a tenant for one scene. */
  makeTenant(): Promise<Place>;
  suspend(tenant: string): Promise<void>;
  resume(tenant: string): Promise<void>;
}

/** URLs and secrets that the operator needs. */
interface Installation {
  /** Of each process. */
  urls: Place['urls'];
  secrets: Readonly<Record<'OPERATOR_CLIENT_SECRET', string>>;
}

function installationOf(demo: Demo): Installation {
  const home = dirname(process.env.OSTIARY_E2E ?? '');
  const secrets = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Installation['secrets'];
  return { urls: processes(demo), secrets };
}

export function operatorOf(demo: Demo, { urls, secrets } = installationOf(demo)): Operator {
  const tokenFor = async (resource: string): Promise<string> => {
    const response = await fetch(`${urls.auth}/t/platform/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`operator:${secrets.OPERATOR_CLIENT_SECRET}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
    });
    return ((await response.json()) as { access_token: string }).access_token;
  };
  const ofTenant = async (name: string, inputType: string, input: object): Promise<void> => {
    const document = `mutation ($input: ${inputType}!) { ${name}(input: $input) { tenant { id } problems { code } } }`;
    const { data, errors } = await graph(demo, await tokenFor(`${demo.origin}/graphql`), document, { input });
    if (errors.length > 0 || data[name].problems.length > 0) throw new Error(JSON.stringify([data, errors]));
  };
  return {
    async makeTenant() {
      const id = unique('left').toLowerCase().slice(0, 60);
      await ofTenant('createTenant', 'CreateTenantInput', { id, name: 'Left' });
      const made = await fetch(`${urls.auth}/internal/v1/tenants/${id}/clients`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await tokenFor('urn:ostiary:service:auth')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({
          client_name: 'Administration',
          token_endpoint_auth_method: 'client_secret_basic',
          grant_types: ['client_credentials'],
          // A caller may only assign a role whose scopes it has.
          scope: Object.keys(apiScopes).join(' '),
        }),
      });
      const admin = (await made.json()) as { client_id: string; client_secret: string };
      const issuer = `${demo.origin}/t/${id}`;
      const { demo: example } = demo.tenants;
      const tenant: DemoTenant = {
        ...example,
        issuer,
        scim: `${issuer}/scim/v2`,
        clients: { ...example.clients, admin },
      };
      const place = await placeOf(demo, tenant, urls);
      const { token } = await newConnector(place);
      return { ...place, scim: new ScimClient(tenant, token) };
    },
    suspend: (id) => ofTenant('suspendTenant', 'TenantVersionInput', { id }),
    resume: (id) => ofTenant('resumeTenant', 'TenantVersionInput', { id }),
  };
}
