import { expect } from '@jest/globals';
import type { Prover } from '@ostiary/access/testing';
import { adapted } from '../start/pasting.ts';
import { type Employee, hired } from '../start/sign-in-app.ts';
import { type Demo, type DemoTenant, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken, signIn } from '../support/sign-in.ts';
import { registered } from '../verifier/registered.ts';
import { codeOf } from './protected-apis.ts';

const redirectUris = ['http://127.0.0.1:53123/callback'];

/** Returns code of the guide for a system, its tenant `demo`, and an API with a unique name. */
export const adaptedFor = (text: string, demo: Demo, name: string): string =>
  adapted(text, demo, 'demo')
    .replaceAll('https://orders.example.com', `https://${name}.example.com`)
    .replaceAll('orders:', `${name}:`);

/** An API that a tenant defines as in the guide, its client, and an app with its scopes and those of another API. */
export class DefinedApi {
  readonly #demo: Demo;
  readonly #tenant: DemoTenant;
  readonly name: string;
  #id = '';
  #server = { id: '', secret: '' };
  #app = '';
  #machine = { clientId: '', clientSecret: '' };

  private constructor(demo: Demo, tenant: DemoTenant, name: string) {
    this.#demo = demo;
    this.#tenant = tenant;
    this.name = name;
  }

  static async defined(demo: Demo, tenant: DemoTenant, name = unique('orders')): Promise<DefinedApi> {
    const api = new DefinedApi(demo, tenant, name);
    const { registerApi, registerClient } = await api.#graph(adaptedFor(codeOf('graphql'), demo, name));
    api.#id = registerApi.api.id;
    api.#server = { id: registerClient.client.id, secret: registerClient.clientSecret };
    const other = {
      identifier: `https://${name}-bills.example.com`,
      name,
      scopes: [{ name: `${name}-bills:read` }],
    };
    await api.#graph(
      'mutation ($input: RegisterApiInput!) { registerApi(input: $input) { problems { message } } }',
      { input: other },
    );
    const scopes = ['openid', `${name}:read`, `${name}:write`, `${name}-bills:read`];
    api.#app = (await registered(demo, tenant, { kind: 'NATIVE', redirectUris, scopes })).clientId;
    api.#machine = await registered(demo, tenant, { kind: 'MACHINE', ownScopes: [`${name}:read`] });
    return api;
  }

  /** Environment of the program: the credentials of the API's client. */
  get env(): Record<string, string> {
    return { API_ID: this.#server.id, API_SECRET: this.#server.secret };
  }

  async setTokenFormat(tokenFormat: 'JWT' | 'OPAQUE'): Promise<void> {
    const mutation =
      'mutation ($input: UpdateApiInput!) { updateApi(input: $input) { problems { message } } }';
    await this.#graph(mutation, { input: { id: this.#id, tokenFormat } });
  }

  /** Introspects a token with the credentials of the API's client. */
  async isActive(token: string): Promise<boolean> {
    const response = await fetch(`${this.#tenant.issuer}/introspect`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${this.#server.id}:${this.#server.secret}`)}` },
      body: new URLSearchParams({ token }),
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { active: boolean }).active;
  }

  /** Creates a user who signs in to the app. @returns the tokens with a scope of this API or of the other one */
  async userWith(scope: string): Promise<{ user: Employee; access: string; id: string }> {
    const user = await hired(this.#tenant);
    const web = { client_id: this.#app, redirect_uris: redirectUris };
    const tenant = { ...this.#tenant, clients: { ...this.#tenant.clients, web } };
    const { tokens } = await signIn(this.#demo, tenant, user, { scope: `openid ${this.name}${scope}` });
    return { user, access: tokens.access_token, id: tokens.id_token ?? '' };
  }

  /** Returns a token of a service for this API. @param prover key to which it is bound */
  async serviceToken(prover?: Prover): Promise<string> {
    const { clientId, clientSecret } = this.#machine;
    return this.#requested(clientId, clientSecret, { scope: `${this.name}:read` }, prover);
  }

  /** Returns a token that the API's own client was issued for the API of the tenant. */
  ownToken(): Promise<string> {
    return this.#requested(this.#server.id, this.#server.secret, {});
  }

  async #requested(id: string, secret: string, parameters: object, prover?: Prover): Promise<string> {
    const init = {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
    };
    const address = `${this.#tenant.issuer}/token`;
    const response = await (prover ? prover.fetch(address, init) : fetch(address, init));
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`no token: ${response.status}`);
    return token;
  }

  async #graph(document: string, variables: Record<string, unknown> = {}) {
    const { data, errors } = await graph(this.#demo, await adminToken(this.#tenant), document, variables);
    const problems = Object.values(data ?? {}).flatMap(
      (payload) => (payload as { problems: object[] }).problems,
    );
    expect([errors, problems]).toEqual([[], []]);
    return data;
  }
}
