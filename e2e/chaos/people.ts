import { randomBytes } from 'node:crypto';
import type { DemoTenant } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, authorize, redeem } from '../support/sign-in.ts';
import {
  type Answer,
  ask,
  basic,
  graphAccessPath,
  introspectionAccessPath,
  scimAccessPath,
  sessionAccessPath,
  tokenAccessPath,
  userinfoAccessPath,
} from './asking.ts';
import {
  type At,
  codeAccessPath,
  passwordAccessPath,
  subscribe,
  subscriptionAccessPath,
} from './fresh-doors.ts';
import type { AccessPath, Person, TenantName } from './person.ts';
import type { Stage } from './stage.ts';

const scope = 'openid profile offline_access self:tokens';
const betweenRefreshesMs = 15_000;

/** Credentials of a client that exchanges tokens. */
interface Agent {
  client_id: string;
  client_secret: string;
}

/** Creates users, opens all their access paths and lists these. */
export class People {
  readonly #stage: Pick<Stage, 'demo' | 'urls'>;
  readonly #agents = new Map<TenantName, Promise<Agent>>();

  constructor(stage: Pick<Stage, 'demo' | 'urls'>) {
    this.#stage = stage;
  }

  tenant(name: TenantName): DemoTenant {
    return this.#stage.demo.tenants[name];
  }

  /** @throws Error when a step failed */
  async hire(tenant: TenantName, name: string): Promise<Person> {
    const { demo } = this.#stage;
    const where = this.tenant(tenant);
    const user = { userName: name, password: `correct horse ${randomBytes(12).toString('hex')}` };
    const { id } = await new ScimClient(where, where.clients.scim.token).createUser({
      ...user,
      externalId: name,
      emails: [{ value: `${name}@${tenant}.example`, primary: true }],
    });
    const signedIn = await redeem(await authorize(demo, where, user, { scope }));
    const again = await authorize(demo, where, user, { scope, browser: signedIn.browser });
    const code = again.callback.searchParams.get('code');
    if (code === null) throw new Error(`no code: ${again.callback}`);
    const accessToken = signedIn.tokens.access_token;
    const made = await ask(`${demo.graphql}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query:
          'mutation { createPersonalAccessToken(input: { name: "script", scopes: ["openid"] }) { token } }',
      }),
    });
    const ownToken = made?.body?.data?.createPersonalAccessToken?.token;
    if (typeof ownToken !== 'string') throw new Error(`no token: ${JSON.stringify(made?.body)}`);
    const exchanged = await this.#exchange(where, accessToken, where.clients.api);
    const agentToken = await this.#exchange(where, accessToken, await this.#agentOf(tenant));
    return {
      tenant,
      id,
      user,
      accessToken,
      exchangedToken: exchanged,
      agentToken,
      refreshToken: signedIn.tokens.refresh_token ?? '',
      ownToken,
      cookie: await signedIn.browser.cookies.getCookieString(where.issuer),
      code: {
        grant_type: 'authorization_code',
        client_id: where.clients.web.client_id,
        code,
        redirect_uri: `${again.callback.origin}${again.callback.pathname}`,
        code_verifier: again.verifier,
      },
    };
  }

  /** Returns the agent of a tenant. A failed registration is repeated for the next user. */
  #agentOf(tenant: TenantName): Promise<Agent> {
    const known = this.#agents.get(tenant) ?? this.#registerAgent(this.tenant(tenant));
    this.#agents.set(tenant, known);
    known.catch(() => this.#agents.delete(tenant));
    return known;
  }

  async #registerAgent(where: DemoTenant): Promise<Agent> {
    const answer = await ask(this.#stage.demo.graphql, {
      method: 'POST',
      headers: { authorization: `Bearer ${await adminToken(where)}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }`,
        variables: {
          input: {
            name: 'Agent',
            grantTypes: ['urn:ietf:params:oauth:grant-type:token-exchange'],
            scopes: ['openid', 'profile'],
            // The token is valid during the run, as the others are.
            tokenExchange: {
              subjectClients: [where.clients.web.client_id],
              agent: true,
              agentTokenLifetimeSeconds: 3600,
            },
          },
        },
      }),
    });
    const made = answer?.body?.data?.registerClient;
    if (typeof made?.clientSecret !== 'string') throw new Error(`no agent: ${JSON.stringify(answer?.body)}`);
    return { client_id: made.client.id, client_secret: made.clientSecret };
  }

  /** Returns the token for which a client exchanges the token of a user (RFC 8693). */
  async #exchange(
    { issuer }: DemoTenant,
    token: string,
    { client_id, client_secret }: Agent,
  ): Promise<string> {
    const answer = await ask(`${issuer}/token`, {
      method: 'POST',
      headers: basic(client_id, client_secret),
      body: new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        subject_token: token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
    });
    const exchanged = answer?.body?.access_token;
    if (typeof exchanged !== 'string') throw new Error(`no exchange: ${JSON.stringify(answer?.body)}`);
    return exchanged;
  }

  /** Retries until it succeeds or `giveUp`: a fault can make it fail. */
  async hireSomehow(tenant: TenantName, name: string, giveUp: AbortSignal): Promise<Person | undefined> {
    for (let attempt = 0; !giveUp.aborted; attempt += 1) {
      try {
        return await this.hire(tenant, `${name}-${attempt}`);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    }
    return undefined;
  }

  /** Returns every access path at every process. */
  everyAccessPath(person: Person): AccessPath[] {
    const { urls, demo } = this.#stage;
    const at = (instance: string) => urls[instance] ?? '';
    const { tenant, accessToken, ownToken, exchangedToken, agentToken } = person;
    const api = this.tenant(tenant).clients.api;
    const both = (service: string, name: string, open: (origin: string) => Promise<Answer>): AccessPath[] =>
      [service, `${service}-2`].map((instance) => ({
        name: `${name} at ${instance}`,
        try: () => open(at(instance)),
      }));
    return [
      ...both('gateway', 'graph', (origin) => graphAccessPath(origin, accessToken)),
      ...both('directory', 'subgraph', (origin) => graphAccessPath(origin, accessToken)),
      ...both('auth', 'userinfo', (origin) => userinfoAccessPath(origin, tenant, accessToken)),
      ...both('provisioning', 'SCIM', (origin) => scimAccessPath(origin, tenant, accessToken)),
      ...both('auth', 'introspection', (origin) => introspectionAccessPath(origin, tenant, api, accessToken)),
      ...both('gateway', 'graph with an own token', (origin) => graphAccessPath(origin, ownToken)),
      ...both('provisioning', 'SCIM with an own token', (origin) => scimAccessPath(origin, tenant, ownToken)),
      ...both('auth', 'userinfo with an exchanged token', (origin) =>
        userinfoAccessPath(origin, tenant, exchangedToken),
      ),
      ...both('auth', 'userinfo with the token of an agent', (origin) =>
        userinfoAccessPath(origin, tenant, agentToken),
      ),
      this.sessionAccessPath(person, demo.origin),
      // The same token each time, which is a retry: a rotated one would count as reuse when an earlier request is late.
      { name: 'refresh', try: () => this.#refresh(person) },
    ];
  }

  /** Returns the access paths behind the load balancer. */
  usualDoors(person: Person): AccessPath[] {
    const { origin } = this.#stage.demo;
    const { tenant, accessToken, ownToken, exchangedToken, agentToken } = person;
    return [
      { name: 'graph', try: () => graphAccessPath(origin, accessToken) },
      { name: 'userinfo', try: () => userinfoAccessPath(origin, tenant, accessToken) },
      {
        name: 'userinfo with an exchanged token',
        try: () => userinfoAccessPath(origin, tenant, exchangedToken),
      },
      {
        name: 'userinfo with the token of an agent',
        try: () => userinfoAccessPath(origin, tenant, agentToken),
      },
      { name: 'SCIM', try: () => scimAccessPath(origin, tenant, accessToken) },
      { name: 'graph with an own token', try: () => graphAccessPath(origin, ownToken) },
      this.sessionAccessPath(person, origin),
      this.refreshDoor(person),
    ];
  }

  sessionAccessPath(person: Person, origin: string): AccessPath {
    const { client_id } = this.tenant(person.tenant).clients.web;
    return { name: 'session', try: () => sessionAccessPath(origin, person.tenant, client_id, person.cookie) };
  }

  /** Refreshes as clients do: retries without an answer, and waits after one. */
  refreshDoor(person: Person): AccessPath {
    let until = 0;
    return {
      name: 'refresh',
      try: async () => {
        if (performance.now() < until) return { outcome: 'open', said: 'not needed yet' };
        const answer = await this.#refresh(person);
        if (answer.tokens !== undefined) {
          person.refreshToken = answer.tokens.refresh_token;
          until = performance.now() + betweenRefreshesMs;
        }
        return answer;
      },
    };
  }

  #refresh(person: Person): ReturnType<typeof tokenAccessPath> {
    const { client_id } = this.tenant(person.tenant).clients.web;
    const form = { grant_type: 'refresh_token', client_id, refresh_token: person.refreshToken };
    return tokenAccessPath(this.#stage.demo.origin, person.tenant, form);
  }

  codeAccessPath(person: Person): AccessPath {
    return codeAccessPath(this.#at(person), person);
  }

  /** Signs in once with the password to verify that it is accepted. @returns undefined when it is not accepted now */
  async passwordAccessPath(person: Person): Promise<AccessPath | undefined> {
    const door = passwordAccessPath(this.#at(person), person);
    return (await door.try()).outcome === 'open' ? door : undefined;
  }

  /** Opens a subscription at one of the gateways. @returns undefined when none can be opened now */
  async subscriptionAccessPath({ id, accessToken }: Person): Promise<AccessPath | undefined> {
    const gateway = this.#stage.urls[id.endsWith('0') ? 'gateway' : 'gateway-2'] ?? '';
    const stream = await subscribe(gateway, accessToken);
    return stream && subscriptionAccessPath(gateway, stream);
  }

  #at({ tenant }: Person): At {
    return { origin: this.#stage.demo.origin, clientId: this.tenant(tenant).clients.web.client_id };
  }
}
