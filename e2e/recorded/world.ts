import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { Authenticator } from '../../services/auth/test/support/sign-in/authenticator.ts';
import { allScopes, type NewTenant, newTenant, operatorAt } from '../authorization/new-tenant.ts';
import { clientToken, post, processes } from '../authorization/processes.ts';
import { answerWith, optionsOf } from '../departure/scene.ts';
import { Browser } from '../support/browser.ts';
import { type Demo, type DemoTenant, type DemoUser, unique } from '../support/demo.ts';
import { type GraphError, graph } from '../support/graph.ts';
import { renewPassword } from '../support/roles.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, everyOwnScope, signIn } from '../support/sign-in.ts';
import { type Asking, Things } from './things.ts';

/** Address and user agent of every change. */
export const origin = { address: '203.0.113.77', userAgent: 'recorded-console/7.1' };

/** Identifiers by which a request is found in the logs. */
export interface Sent {
  traceId: string;
  requestId: string;
  errors: readonly GraphError[];
  /** Payload of the mutation; null if it was rejected. */
  payload: Record<string, unknown> | null;
}

/** Actor and app of an entry. */
export interface Who {
  kind: string;
  id: string;
  onBehalfOf: string | null;
  clientId: string;
}

/** Tenant of this test, with an administrator at an app. */
export interface World {
  demo: Demo;
  tenant: DemoTenant;
  the: Things;
  who: Readonly<Record<Asking, Who>>;
  /** Tokens that can read the logs of this tenant, of the rival tenant, and of the tenant that the operator creates. */
  readers: { own: string; rival: string; aside(): Promise<string> };
  ask(by: Asking | 'rival', mutation: string, input: object, select: string): Promise<Sent>;
  /**
   * Makes a change that is not checked, as the tenant's administration client. @throws Error with the errors of the
   * graph
   */
  change<T>(mutation: string, input: object, select: string): Promise<T>;
  /** Runs a query with the same client. @throws Error */
  read<T>(query: string): Promise<T>;
}

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const scopes = [...everyOwnScope.split(' '), ...allScopes];

/** The tenant's administration client at the graph. */
class Administration {
  readonly #demo: Demo;
  readonly #token: string;
  /** Mutation → type of its input. */
  readonly #inputTypes: ReadonlyMap<string, string>;

  constructor(demo: Demo, token: string, inputTypes: ReadonlyMap<string, string>) {
    this.#demo = demo;
    this.#token = token;
    this.#inputTypes = inputTypes;
  }

  document(mutation: string, select: string): string {
    return `mutation ($input: ${this.#inputTypes.get(mutation)}) { ${mutation}(input: $input) { ${select} problems { code message } } }`;
  }

  /** @throws Error with the errors of the graph */
  async read<T>(query: string, variables = {}): Promise<T> {
    const { data, errors } = await graph(this.#demo, this.#token, query, variables);
    if (errors.length > 0) throw new Error(`${query}: ${JSON.stringify(errors)}`);
    return data as T;
  }

  /** @throws Error with the errors of the graph */
  async change<T>(mutation: string, input: object, select: string): Promise<T> {
    const document = this.document(mutation, select);
    const data = await this.read<Record<string, T & { problems: object[] }>>(document, { input });
    const payload = data[mutation] as T & { problems: object[] };
    if (payload.problems.length > 0) throw new Error(`${mutation}: ${JSON.stringify(payload.problems)}`);
    return payload;
  }
}

interface Registered {
  client: { id: string };
  clientSecret: string | null;
}

/** Registers an app for users, an app and an agent that may act for them, and an identity source with its token. */
async function register(
  administration: Administration,
): Promise<Record<'web' | 'service' | 'agent', Registered> & { source: string }> {
  const registered = (input: object) =>
    administration.change<Registered>('registerClient', input, 'client { id } clientSecret');
  const web = await registered({
    name: 'Console',
    tokenEndpointAuthMethod: 'NONE',
    grantTypes: ['authorization_code', 'refresh_token'],
    redirectUris: ['http://127.0.0.1/callback'],
    scopes,
  });
  const [service, agent, { token: source }] = await Promise.all([
    registered({
      name: 'Automation',
      grantTypes: ['client_credentials', exchangeGrant],
      scopes: scopes.filter((scope) => scope !== 'offline_access'),
      tokenExchange: { subjectClients: [web.client.id] },
    }),
    registered({
      name: 'Agent',
      grantTypes: [exchangeGrant],
      scopes: ['openid'],
      tokenExchange: { subjectClients: [web.client.id], agent: true },
    }),
    administration.change<{ token: string }>('createConnector', { name: 'Source' }, 'token'),
  ]);
  return { web, service, agent, source };
}

/**
 * Signs all users in, and lets the agent act for one of them. @returns the tokens of the administrator and of the app
 * that acts for the administrator
 */
async function signInAll(
  demo: Demo,
  tenant: DemoTenant,
  { administrator, bob, carol }: People,
  { service, agent }: Record<'service' | 'agent', Registered>,
): Promise<Record<'administrator' | 'delegate', string>> {
  const [{ tokens }, { tokens: ofBob }] = await Promise.all([
    signIn(demo, tenant, administrator, { scope: scopes.join(' ') }),
    signIn(demo, tenant, bob),
    addFactors(demo, tenant, carol),
  ]);
  const exchanged = (
    { client, clientSecret }: Registered,
    subjectToken: string,
    more: { scope?: string } = {},
  ) =>
    clientToken(
      tenant.issuer,
      { client_id: client.id, client_secret: clientSecret ?? '' },
      {
        grant_type: exchangeGrant,
        subject_token: subjectToken,
        subject_token_type: accessToken,
        ...more,
      },
    );
  const delegate = await exchanged(service, tokens.access_token, { scope: allScopes.join(' ') });
  await exchanged(agent, ofBob.access_token);
  return { administrator: tokens.access_token, delegate };
}

/** Creates the objects that the first rows need. */
async function firstThings(
  administration: Administration,
  { id, issuer, token }: NewTenant,
  { administrator, bob, carol, invitee }: People,
  { web, agent }: Record<'web' | 'agent', Registered>,
): Promise<Things> {
  const opened = await administration.read<{
    bob: Record<'sessions' | 'grants', { id: string }[]> & {
      delegations: { edges: { node: { id: string } }[] };
    };
    carol: { credentials: { passkeys: { id: string }[] } };
  }>(
    `{ bob: user(id: "${bob.id}") { sessions { id } grants { id } delegations { edges { node { id } } } }
       carol: user(id: "${carol.id}") { credentials { passkeys { id } } } }`,
  );
  const newStream = (description: string) =>
    post<{ stream_id: string }>(`${issuer}/ssf/stream`, token, {
      description,
      events_requested: ['https://schemas.openid.net/secevent/caep/event-type/credential-change'],
    });
  const stream = await newStream('Payroll');
  const still = await newStream('Still');
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const the = new Things();
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
    delegation: opened.bob.delegations.edges[0]?.node.id ?? '',
    agent: agent.client.id,
    web: web.client.id,
    stream: stream.stream_id,
    stillStream: still.stream_id,
    jwk: JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }),
    urn: `urn:example:${id}:2.0:User`,
    pin: `pin ${randomBytes(8).toString('hex')}`,
    endpointKey: randomBytes(12).toString('hex'),
  })) {
    the.set(name, value);
  }
  return the;
}

/** Sends a mutation like a browser behind a proxy, with a trace id of its own. */
async function sendRecorded(url: string, by: Asking | 'rival', token: string, query: string, input: object) {
  const traceId = randomBytes(16).toString('hex');
  const requestId = `recorded-${traceId.slice(0, 12)}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'user-agent': origin.userAgent,
      // The operator's token is rejected behind a proxy.
      ...(by === 'operator' ? {} : { 'x-forwarded-for': origin.address }),
      'x-request-id': requestId,
      traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01`,
    },
    body: JSON.stringify({ query, variables: { input } }),
  });
  const { data, errors = [] } = (await response.json()) as {
    data?: Record<string, Record<string, unknown> | null> | null;
    errors?: GraphError[];
  };
  return { traceId, requestId, errors, data };
}

/** @param inputTypes mutation → type of its input */
export async function createWorld(demo: Demo, inputTypes: ReadonlyMap<string, string>): Promise<World> {
  const urls = processes(demo);
  const operator = operatorAt(urls);
  const id = unique('recorded').toLowerCase();
  const actor = { kind: 'service', id: 'operator' };
  const made = await newTenant(demo.origin, urls, { id, name: 'Recorded', actor });
  const administration = new Administration(demo, made.token, inputTypes);
  const { web, service, agent, source } = await register(administration);
  const { demo: example, rival } = demo.tenants;
  const tenant: DemoTenant = {
    ...example,
    issuer: made.issuer,
    scim: `${made.issuer}/scim/v2`,
    clients: { ...example.clients, admin: made.admin, web: { client_id: web.client.id, redirect_uris: [] } },
  };
  const people = await employ(tenant, source);
  const personId = people.administrator.id;
  await renewPassword(tenant, people.administrator);
  await administration.change('assignRole', { userId: personId, role: 'TENANT_ADMIN' }, 'user { id }');
  const held: Record<Asking | 'rival', string> = {
    ...(await signInAll(demo, tenant, people, { service, agent })),
    operator: await operator(`${demo.origin}/graphql`),
    rival: await adminToken(rival),
  };
  const the = await firstThings(administration, made, people, { web, agent });
  const app = service.client.id;
  return {
    demo,
    tenant,
    the,
    who: {
      administrator: { kind: 'USER', id: personId, onBehalfOf: null, clientId: web.client.id },
      delegate: { kind: 'CLIENT', id: app, onBehalfOf: personId, clientId: app },
      operator: { kind: 'SERVICE', id: 'operator', onBehalfOf: null, clientId: 'operator' },
    },
    readers: {
      own: made.token,
      rival: held.rival,
      aside: () => operator(`${demo.origin}/t/${the.get('aside')}/graphql`),
    },
    read: (query) => administration.read(query),
    change: (mutation, input, select) => administration.change(mutation, input, select),
    async ask(by, mutation, input, select) {
      const document = administration.document(mutation, select);
      const { data, ...sent } = await sendRecorded(demo.graphql, by, held[by], document, input);
      return { ...sent, payload: data?.[mutation] ?? null };
    },
  };
}

type Person = DemoUser & { id: string };
type People = Record<'administrator' | 'bob' | 'carol' | 'invitee', Person>;

/** Creates the users. All except the invitee have a password. */
async function employ(tenant: DemoTenant, source: string): Promise<People> {
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

/** Adds a passkey and an authenticator app to the password. */
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
