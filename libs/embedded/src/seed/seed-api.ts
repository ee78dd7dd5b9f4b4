import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '../running-system.ts';
import { StartError } from '../start-error.ts';

export interface Registered {
  client_id: string;
  client_secret?: string;
}

export interface ClientRegistration {
  client_name: string;
  token_endpoint_auth_method: 'none' | 'client_secret_basic';
  grant_types: string[];
  redirect_uris: string[];
  scopes: string[];
  /** Scopes of defined APIs that it may request for itself. */
  own_scopes?: string[];
  /** Clients whose tokens it may exchange (RFC 8693). */
  token_exchange_subject_clients?: string[];
  /** Resources that it serves and whose tokens it may introspect. */
  protected_resources?: string[];
}

/** A scope or role, with descriptions by language. */
interface Described {
  name: string;
  descriptions: { language: string; text: string }[];
}

/** An API of the organization, as the graph registers it. */
export interface ApiDefinition {
  identifier: string;
  name: string;
  scopes: Described[];
  roles: Described[];
}

interface Answer<T> {
  status: number;
  body: T;
}

const patienceMs = 20_000;

/**
 * Sends one request with a JSON or form body. A 503 is retried for a time, because right after the start a
 * process may not have received another's data yet.
 */
async function send<T>(
  url: string,
  o: {
    method?: string;
    token?: string;
    basic?: Registered;
    json?: unknown;
    type?: string;
    form?: Record<string, string>;
    retry?: number[];
  },
): Promise<Answer<T>> {
  const headers: Record<string, string> = {};
  if (o.token !== undefined) headers.authorization = `Bearer ${o.token}`;
  if (o.basic !== undefined) {
    const { client_id, client_secret = '' } = o.basic;
    const pair = `${encodeURIComponent(client_id)}:${encodeURIComponent(client_secret)}`;
    headers.authorization = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  if (o.json !== undefined) headers['content-type'] = o.type ?? 'application/json';
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const response = await fetch(url, {
      method: o.method ?? (o.json === undefined && o.form === undefined ? 'GET' : 'POST'),
      headers,
      ...(o.form === undefined ? {} : { body: new URLSearchParams(o.form) }),
      ...(o.json === undefined ? {} : { body: JSON.stringify(o.json) }),
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    const again = response.status === 503 || o.retry?.includes(response.status);
    if (again && performance.now() < deadline) {
      await sleep(200);
      continue;
    }
    let body: unknown = text;
    try {
      body = text === '' ? undefined : JSON.parse(text);
    } catch {}
    return { status: response.status, body: body as T };
  }
}

function expect<T>(answer: Answer<T>, what: string, ...statuses: number[]): T {
  if (statuses.includes(answer.status)) return answer.body;
  throw new StartError(
    `Seeding the demo failed: ${what} answered ${answer.status} ${JSON.stringify(answer.body)?.slice(0, 300) ?? ''}`,
  );
}

/** The platform's operator, which creates tenants and their first client through internal APIs. */
export class Operator {
  readonly #system: System;
  readonly #tokens = new Map<string, Promise<string>>();

  constructor(system: System) {
    this.#system = system;
  }

  async tenants(): Promise<Set<string>> {
    const answer = await send<{ tenants: { id: string }[] }>(this.#directory('/tenants'), {
      token: await this.#token('directory'),
    });
    return new Set(expect(answer, 'the list of tenants', 200).tenants.map((tenant) => tenant.id));
  }

  async createTenant(id: string, name: string): Promise<void> {
    const answer = await send(this.#directory('/tenants'), {
      token: await this.#token('directory'),
      json: { id, name, actor: { kind: 'service', id: 'operator', name: 'operator' } },
    });
    expect(answer, `creating the tenant ${id}`, 201, 409);
  }

  async registerAdmin(tenant: string): Promise<Required<Registered>> {
    // Needed only at the first start, and large.
    const { apiScopes } = await import('@ostiary/access');
    const answer = await send<Required<Registered>>(this.#auth(`/tenants/${tenant}/clients`), {
      token: await this.#token('auth'),
      json: {
        client_name: 'Demo administration',
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['client_credentials'],
        scope: Object.keys(apiScopes).join(' '),
      },
    });
    const { client_id, client_secret } = expect(answer, 'registering the admin client', 201);
    return { client_id, client_secret };
  }

  async assignRole(tenant: string, subject: string, role: string): Promise<void> {
    const answer = await send(this.#auth(`/tenants/${tenant}/roles`), {
      token: await this.#token('auth'),
      json: { subject, role },
      retry: [404], // until auth has received the new user
    });
    expect(answer, `assigning ${role}`, 204);
  }

  #token(service: 'auth' | 'directory'): Promise<string> {
    const held = this.#tokens.get(service);
    if (held !== undefined) return held;
    const token = clientCredentials(
      `${this.#system.urls.auth}/t/platform/token`,
      { client_id: 'operator', client_secret: this.#system.secrets.OPERATOR_CLIENT_SECRET },
      { resource: `urn:ostiary:service:${service}` },
    );
    this.#tokens.set(service, token);
    return token;
  }

  #auth(path: string): string {
    return `${this.#system.urls.auth}/internal/v1${path}`;
  }

  #directory(path: string): string {
    return `${this.#system.urls.directory}/internal/v1${path}`;
  }
}

async function clientCredentials(
  endpoint: string,
  client: Registered,
  parameters: Record<string, string>,
): Promise<string> {
  const answer = await send<{ access_token: string }>(endpoint, {
    basic: client,
    form: { grant_type: 'client_credentials', ...parameters },
  });
  return expect(answer, `a token for ${client.client_id}`, 200).access_token;
}

/** One tenant's public API for its administrator: the graph and SCIM, through the edge. */
export class TenantApi {
  readonly tenant: string;
  readonly #edge: string;
  readonly #token: string;

  private constructor(tenant: string, edge: string, token: string) {
    this.tenant = tenant;
    this.#edge = edge;
    this.#token = token;
  }

  static async signIn(system: System, tenant: string, client: Registered): Promise<TenantApi> {
    const edge = system.urls.gateway;
    return new TenantApi(tenant, edge, await clientCredentials(`${edge}/t/${tenant}/token`, client, {}));
  }

  async registerClient(registration: ClientRegistration): Promise<Registered> {
    const { registerClient } = await this.#graph<{
      registerClient: { client: { id: string }; clientSecret: string | null };
    }>(
      `mutation Register($input: RegisterClientInput!) {
        registerClient(input: $input) { client { id } clientSecret }
      }`,
      {
        input: {
          name: registration.client_name,
          tokenEndpointAuthMethod: registration.token_endpoint_auth_method.toUpperCase(),
          grantTypes: registration.grant_types,
          redirectUris: registration.redirect_uris,
          scopes: registration.scopes,
          ...(registration.own_scopes && { ownScopes: registration.own_scopes }),
          ...(registration.protected_resources && { protectedResources: registration.protected_resources }),
          ...(registration.token_exchange_subject_clients && {
            tokenExchange: { subjectClients: registration.token_exchange_subject_clients },
          }),
        },
      },
    );
    const { client, clientSecret } = registerClient;
    return { client_id: client.id, ...(clientSecret === null ? {} : { client_secret: clientSecret }) };
  }

  /** Defines an API of the organization, unless an interrupted start has done so. */
  async defineApi(api: ApiDefinition): Promise<void> {
    const { apis } = await this.#graph<{ apis: { edges: { node: { identifier: string } }[] } }>(
      `{ apis(first: 100) { edges { node { identifier } } } }`,
      {},
    );
    if (apis.edges.some(({ node }) => node.identifier === api.identifier)) return;
    const { registerApi } = await this.#graph<{ registerApi: { problems: { message: string }[] } }>(
      `mutation Define($input: RegisterApiInput!) { registerApi(input: $input) { problems { message } } }`,
      { input: api },
    );
    const [problem] = registerApi.problems;
    if (problem) throw new StartError(`Seeding the demo failed: ${api.identifier}: ${problem.message}`);
  }

  /**
   * Returns a long-lived bearer token of a connector, reusing one with this name from an interrupted start.
   */
  async connector(name: string, clientId: string): Promise<string> {
    const { connectors } = await this.#graph<{
      connectors: { edges: { node: { id: string; name: string } }[] };
    }>(`{ connectors(first: 100) { edges { node { id name } } } }`, {});
    const existing = connectors.edges.find(({ node }) => node.name === name)?.node.id;
    if (existing !== undefined) {
      const { rotateConnectorToken } = await this.#graph<{ rotateConnectorToken: { token: string } }>(
        `mutation Rotate($id: ID!) { rotateConnectorToken(input: { id: $id, overlapSeconds: 0 }) { token } }`,
        { id: existing },
      );
      return rotateConnectorToken.token;
    }
    const { createConnector } = await this.#graph<{ createConnector: { token: string } }>(
      `mutation Connect($input: CreateConnectorInput!) { createConnector(input: $input) { token } }`,
      { input: { name, clientId } },
    );
    return createConnector.token;
  }

  /**
   * Creates a user over SCIM with a connector's token, or sets the password of an existing one; returns the
   * id.
   */
  async createUser(
    token: string,
    user: { userName: string; password: string; [attribute: string]: unknown },
  ): Promise<string> {
    const created = await send<{ id: string }>(this.#scim('/Users'), {
      token,
      json: { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], ...user },
      type: 'application/scim+json',
    });
    if (created.status !== 409) return expect(created, `creating ${user.userName}`, 201).id;
    const filter = encodeURIComponent(`userName eq ${JSON.stringify(user.userName)}`);
    const found = await send<{ Resources: { id: string }[] }>(this.#scim(`/Users?filter=${filter}`), {
      token,
    });
    const id = expect(found, `finding ${user.userName}`, 200).Resources[0]?.id ?? '';
    await this.#setPassword(token, id, user);
    return id;
  }

  /** Sets a password by the administration client: unlike a connector's, it carries every role (`carriedRoles`). */
  renewPassword(id: string, user: { userName: string; password: string }): Promise<void> {
    return this.#setPassword(this.#token, id, user);
  }

  async #setPassword(
    token: string,
    id: string,
    { userName, password }: { userName: string; password: string },
  ): Promise<void> {
    const patched = await send(this.#scim(`/Users/${id}`), {
      method: 'PATCH',
      token,
      json: {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'password', value: password }],
      },
      type: 'application/scim+json',
    });
    expect(patched, `giving ${userName} a password`, 200, 204);
  }

  #scim(path: string): string {
    return `${this.#edge}/t/${this.tenant}/scim/v2${path}`;
  }

  async #graph<T>(query: string, variables: object): Promise<T> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const answer = await send<{ data?: T; errors?: { message: string; extensions?: { code?: string } }[] }>(
        `${this.#edge}/graphql`,
        { token: this.#token, json: { query, variables } },
      );
      const { data, errors } = expect(answer, 'the graph', 200);
      if (errors === undefined && data !== undefined) return data;
      const unavailable = errors?.some((error) => error.extensions?.code === 'SERVICE_UNAVAILABLE');
      if (!unavailable || performance.now() > deadline) {
        throw new StartError(
          `Seeding the demo failed: the graph returned ${JSON.stringify(errors).slice(0, 300)}`,
        );
      }
      await sleep(200);
    }
  }
}
