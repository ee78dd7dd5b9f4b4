import { apiScopes } from '@ostiary/access';
import type { Client } from '../../../src/clients/domain/client.ts';
import { redeem, signInAndAllow, type TestService, tenant, token } from './service.ts';

/** Scopes of the administrators and of the programs that they create. */
const scopes = Object.keys(apiScopes);

export interface Program {
  id: string;
  secret: string;
}

/** Administrators, the programs that they create, and the programs that those create. */
export class Programs {
  readonly #service: TestService;
  readonly #apps = new Map<string, Client>();

  constructor(service: TestService) {
    this.#service = service;
  }

  /** Signs in an administrator to an app without an owner, and returns the access token. */
  async administrator(userName: string, of = tenant): Promise<{ id: string; accessToken: string }> {
    const scope = `openid self:tokens ${scopes.join(' ')}`;
    const app = this.#apps.get(of) ?? (await this.#service.client({ require_consent: false, scope }, of));
    this.#apps.set(of, app);
    const { id } = await this.#service.person(userName, { tenant: of });
    await this.#service.internal('POST', `/tenants/${of}/roles`, { subject: id, role: 'tenant_admin' });
    const code = await signInAndAllow(this.#service.browser(), app, userName, { scope });
    const { body } = await redeem(this.#service, app, code);
    return { id, accessToken: body.access_token ?? '' };
  }

  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  async ask(accessToken: string, query: string, input: object): Promise<any> {
    const response = await fetch(`${this.#service.origin}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
      body: JSON.stringify({ query, variables: { input } }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
    const body = (await response.json()) as { data: any; errors?: unknown };
    if (body.errors) throw new Error(JSON.stringify(body.errors));
    return body.data;
  }

  /** Registers a client that acts for itself. */
  async register(accessToken: string, more: object = {}): Promise<Program> {
    const { registerClient: made } = await this.ask(
      accessToken,
      `mutation ($input: RegisterClientInput!) {
         registerClient(input: $input) { client { id } clientSecret problems { code path message } } }`,
      {
        name: 'Program',
        grantTypes: ['client_credentials'],
        scopes,
        tokenEndpointAuthMethod: 'CLIENT_SECRET_POST',
        ...more,
      },
    );
    if (made.client === null) throw new Error(JSON.stringify(made.problems));
    return { id: made.client.id, secret: made.clientSecret };
  }

  /** Returns the token response for a program. */
  async authenticate({ id, secret }: Program, of = tenant) {
    const client = { clientId: id, tenant: of } as Client;
    const grant = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    return token(this.#service, client, grant);
  }

  async accessToken(program: Program, of = tenant): Promise<string> {
    return (await this.authenticate(program, of)).body.access_token ?? '';
  }
}
