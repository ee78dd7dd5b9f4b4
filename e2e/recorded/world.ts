import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiScopes } from '@ostiary/access';
import { exportJWK, generateKeyPair } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { Authenticator } from '../../services/auth/test/support/sign-in/authenticator.ts';
import { clientToken, post, processes } from '../authorization/processes.ts';
import { answerWith, optionsOf } from '../departure/scene.ts';
import { Browser } from '../support/browser.ts';
import { type Demo, type DemoTenant, type DemoUser, unique } from '../support/demo.ts';
import { type GraphError, graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, everyOwnScope, signIn } from '../support/sign-in.ts';
import { type Asking, Things } from './things.ts';

/** Where from, and with what, every change is asked for. */
export const origin = { address: '203.0.113.77', userAgent: 'recorded-console/7.1' };

/** A request as it can be found again. */
export interface Sent {
  traceId: string;
  requestId: string;
  errors: readonly GraphError[];
  /** What the mutation answered; null when it was refused. */
  payload: Record<string, unknown> | null;
}

/** Who is in an entry as its actor, and by which app. */
export interface Who {
  kind: string;
  id: string;
  onBehalfOf: string | null;
  clientId: string;
}

/** A tenant of this test's own, with an administrator at an app. */
export interface World {
  demo: Demo;
  tenant: DemoTenant;
  the: Things;
  who: Readonly<Record<Asking, Who>>;
  /** Who may read this tenant's logs, those of the one the operator makes, and those of somebody else's tenant. */
  readers: { own: string; rival: string; aside(): Promise<string> };
  ask(by: Asking | 'rival', mutation: string, input: object, select: string): Promise<Sent>;
  /** A change that isn't looked at, by the tenant's administration client. @throws Error with what the graph said */
  change<T>(mutation: string, input: object, select: string): Promise<T>;
  /** A query, by the same. @throws Error */
  read<T>(query: string): Promise<T>;
}

const allScopes = Object.keys(apiScopes);
const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

/** @param inputTypes mutation → the type of its input */
export async function createWorld(demo: Demo, inputTypes: ReadonlyMap<string, string>): Promise<World> {
  const urls = processes(demo);
  const { OPERATOR_CLIENT_SECRET = '' } = JSON.parse(
    readFileSync(join(dirname(process.env.OSTIARY_E2E ?? ''), 'secrets.json'), 'utf8'),
  ) as Record<string, string>;
  const operator = (resource: string) =>
    clientToken(
      `${urls.auth}/t/platform`,
      { client_id: 'operator', client_secret: OPERATOR_CLIENT_SECRET },
      { resource },
    );
  const id = unique('recorded').toLowerCase();
  const issuer = `${demo.origin}/t/${id}`;
  await post(`${urls.directory}/internal/v1/tenants`, await operator('urn:ostiary:service:directory'), {
    id,
    name: 'Recorded',
    actor: { kind: 'service', id: 'operator' },
  });
  const admin = await post<{ client_id: string; client_secret: string }>(
    `${urls.auth}/internal/v1/tenants/${id}/clients`,
    await operator('urn:ostiary:service:auth'),
    {
      client_name: 'Administration',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      scope: allScopes.join(' '),
    },
  );
  const app = await clientToken(issuer, admin);

  const document = (mutation: string, select: string): string =>
    `mutation ($input: ${inputTypes.get(mutation)}) { ${mutation}(input: $input) { ${select} problems { code message } } }`;
  const read = async <T>(query: string, variables = {}): Promise<T> => {
    const { data, errors } = await graph(demo, app, query, variables);
    if (errors.length > 0) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return data as T;
  };
  const change = async <T>(mutation: string, input: object, select: string): Promise<T> => {
    const data = await read<Record<string, T & { problems: object[] }>>(document(mutation, select), {
      input,
    });
    const payload = data[mutation] as T & { problems: object[] };
    if (payload.problems.length > 0) throw new Error(`${mutation}: ${JSON.stringify(payload.problems)}`);
    return payload;
  };
  const register = (input: object) =>
    change<{ client: { id: string }; clientSecret: string | null }>(
      'registerClient',
      input,
      'client { id } clientSecret',
    );
  const scopes = [...everyOwnScope.split(' '), ...allScopes];
  const web = await register({
    name: 'Console',
    tokenEndpointAuthMethod: 'NONE',
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: ['http://127.0.0.1/callback'],
    scopes,
  });
  const [service, { token: source }] = await Promise.all([
    register({
      name: 'Automation',
      grantTypes: ['client_credentials', exchangeGrant],
      scopes: scopes.filter((scope) => scope !== 'offline_access'),
      tokenExchange: { subjectClients: [web.client.id] },
    }),
    change<{ token: string }>('createConnector', { name: 'Source' }, 'token'),
  ]);

  const { demo: example } = demo.tenants;
  const tenant: DemoTenant = {
    ...example,
    issuer,
    scim: `${issuer}/scim/v2`,
    clients: { ...example.clients, admin, web: { client_id: web.client.id, redirect_uris: [] } },
  };
  const people = await employ(tenant, source);
  const { administrator, bob, carol, invitee } = people;
  await change('assignRole', { userId: administrator.id, role: 'TENANT_ADMIN' }, 'user { id }');
  const [{ tokens }] = await Promise.all([
    signIn(demo, tenant, administrator, { scope: scopes.join(' ') }),
    addFactors(demo, tenant, carol),
    signIn(demo, tenant, bob),
  ]);
  const delegated = await clientToken(
    issuer,
    { client_id: service.client.id, client_secret: service.clientSecret ?? '' },
    {
      grant_type: exchangeGrant,
      subject_token: tokens.access_token,
      subject_token_type: accessToken,
      scope: allScopes.join(' '),
    },
  );
  const rival = await adminToken(demo.tenants.rival);
  const held: Record<Asking | 'rival', string> = {
    administrator: tokens.access_token,
    delegate: delegated,
    operator: await operator(`${demo.origin}/graphql`),
    rival,
  };

  const the = new Things();
  const opened = await read<{
    bob: Record<'sessions' | 'grants', { id: string }[]>;
    carol: { credentials: { passkeys: { id: string }[] } };
  }>(
    `{ bob: user(id: "${bob.id}") { sessions { id } grants { id } }
       carol: user(id: "${carol.id}") { credentials { passkeys { id } } } }`,
  );
  const newStream = (description: string) =>
    post<{ stream_id: string }>(`${issuer}/ssf/stream`, app, {
      description,
      events_requested: ['https://schemas.openid.net/secevent/caep/event-type/credential-change'],
    });
  const stream = await newStream('Payroll');
  const still = await newStream('Still');
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' });
  for (const [name, value] of Object.entries({
    tenant: id,
    aside: unique('aside').toLowerCase(),
    administrator: administrator.id,
    bob: bob.id,
    bobsName: bob.userName,
    carol: carol.id,
    invitee: invitee.id,
    passkey: opened.carol.credentials.passkeys[0]?.id ?? '',
    session: opened.bob.sessions[0]?.id ?? '',
    grant: opened.bob.grants[0]?.id ?? '',
    web: web.client.id,
    stream: stream.stream_id,
    stillStream: still.stream_id,
    jwk,
    urn: `urn:example:${id}:2.0:User`,
    pin: `pin ${randomBytes(8).toString('hex')}`,
    endpointKey: randomBytes(12).toString('hex'),
  })) {
    the.set(name, value);
  }

  return {
    demo,
    tenant,
    the,
    who: {
      administrator: { kind: 'USER', id: administrator.id, onBehalfOf: null, clientId: web.client.id },
      delegate: {
        kind: 'CLIENT',
        id: service.client.id,
        onBehalfOf: administrator.id,
        clientId: service.client.id,
      },
      operator: { kind: 'SERVICE', id: 'operator', onBehalfOf: null, clientId: 'operator' },
    },
    readers: { own: app, rival, aside: () => operator(`${demo.origin}/t/${the.get('aside')}/graphql`) },
    read,
    change,
    async ask(by, mutation, input, select) {
      const traceId = randomBytes(16).toString('hex');
      const requestId = `recorded-${traceId.slice(0, 12)}`;
      const response = await fetch(demo.graphql, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${held[by]}`,
          'user-agent': origin.userAgent,
          'x-forwarded-for': origin.address,
          'x-request-id': requestId,
          traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
        },
        body: JSON.stringify({ query: document(mutation, select), variables: { input } }),
      });
      const { data, errors = [] } = (await response.json()) as {
        data?: Record<string, Record<string, unknown> | null> | null;
        errors?: GraphError[];
      };
      return { traceId, requestId, errors, payload: data?.[mutation] ?? null };
    },
  };
}

type Person = DemoUser & { id: string };

/** Everybody but the invitee has a password. */
async function employ(
  tenant: DemoTenant,
  source: string,
): Promise<Record<'administrator' | 'bob' | 'carol' | 'invitee', Person>> {
  const scim = new ScimClient(tenant, source);
  const person = async (name: string, password?: string): Promise<Person> => {
    const user = { userName: unique(name), ...(password !== undefined && { password }) };
    return { password: '', ...user, id: (await scim.createUser(user)).id };
  };
  const [administrator, bob, carol, invitee] = await Promise.all([
    person('administrator', unique('correct horse battery')),
    person('bob', unique('correct horse battery')),
    person('carol', unique('correct horse battery')),
    person('invitee'),
  ]);
  return { administrator, bob, carol, invitee };
}

/** A passkey and an authenticator app, beside the password. */
async function addFactors(demo: Demo, tenant: DemoTenant, person: Person): Promise<void> {
  const browser = new Browser(demo.origin);
  const login = await browser.open(`${tenant.issuer}/account/totp`);
  const offer = await browser.submit(login, { username: person.userName, password: person.password });
  const secret = offer.root.querySelector('code.typed')?.text.replaceAll(' ', '') ?? '';
  await browser.submit(offer, { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() });
  const page = await browser.open(`${tenant.issuer}/account/passkeys`);
  const authenticator = Object.assign(new Authenticator(), { origin: demo.origin });
  await answerWith(browser, page, authenticator.create(optionsOf(page)));
  await browser.submit(await browser.open(`${tenant.issuer}/account/recovery-codes`));
}
