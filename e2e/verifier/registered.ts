import assert from 'node:assert/strict';
import type { Prover } from '@ostiary/access/testing';
import { type Demo, type DemoTenant, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, authorize, redeem } from '../support/sign-in.ts';

export interface Credentials {
  clientId: string;
  clientSecret: string;
}

/** Registers a client. */
export async function registered(demo: Demo, of: DemoTenant, input: object): Promise<Credentials> {
  const { data, errors } = await graph(
    demo,
    await adminToken(of),
    `mutation ($input: RegisterClientInput!) {
      registerClient(input: $input) { client { id } clientSecret problems { message } } }`,
    { input: { name: unique('Orders'), ...input } },
  );
  assert.deepEqual([errors, data?.registerClient.problems], [[], []]);
  return { clientId: data.registerClient.client.id, clientSecret: data.registerClient.clientSecret ?? '' };
}

/** A company API of a tenant: its client, and an app whose users have tokens for it. */
export class ProtectedApi {
  readonly audience: string;
  readonly #demo: Demo;
  readonly #tenant: DemoTenant;
  #app: Credentials | undefined;
  #machine: Credentials | undefined;
  #server: Credentials | undefined;

  constructor(demo: Demo, tenant: DemoTenant, audience = `https://${unique('orders')}.example`) {
    this.audience = audience;
    this.#demo = demo;
    this.#tenant = tenant;
  }

  async register(): Promise<this> {
    const [demo, tenant, resources] = [this.#demo, this.#tenant, [this.audience]];
    this.#server = await registered(demo, tenant, { kind: 'MACHINE', protectedResources: resources });
    this.#machine = await registered(demo, tenant, { kind: 'MACHINE', resources });
    this.#app = await registered(demo, tenant, {
      kind: 'NATIVE',
      redirectUris: ['http://127.0.0.1/callback'],
      resources,
    });
    return this;
  }

  /** Options of `ostiary()`. */
  get options() {
    const { clientId = '', clientSecret = '' } = this.#server ?? {};
    return { issuer: this.#tenant.issuer, audience: this.audience, clientId, clientSecret };
  }

  /** Creates a user by SCIM and returns an access token of the user for the API. */
  async hire(): Promise<{ id: string; token: string }> {
    const tenant = this.#tenant;
    const user = { userName: unique('buyer'), password: unique('nine quiet otters') };
    const { id } = await this.#scim.createUser(user);
    const web = { ...tenant.clients.web, client_id: this.#app?.clientId ?? '' };
    const withApp = { ...tenant, clients: { ...tenant.clients, web } };
    const options = { resource: this.audience, scope: 'openid profile' };
    const { tokens } = await redeem(await authorize(this.#demo, withApp, user, options));
    return { id, token: tokens.access_token };
  }

  async offboard(userId: string): Promise<void> {
    const { status } = await this.#scim.patch(`/Users/${userId}`, [
      { op: 'replace', path: 'active', value: false },
    ]);
    assert.ok(status < 300, `offboarding: ${status}`);
  }

  /** Returns a token of a client that acts for itself. @param prover key to which it is bound */
  async clientToken(prover?: Prover): Promise<string> {
    const { clientId, clientSecret } = this.#machine ?? {};
    const address = `${this.#tenant.issuer}/token`;
    const init = {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource: this.audience }),
    };
    const response = await (prover ? prover.fetch(address, init) : fetch(address, init));
    const { access_token: token } = (await response.json()) as { access_token?: string };
    if (token === undefined) throw new Error(`no token: ${response.status}`);
    return token;
  }

  get #scim(): ScimClient {
    return new ScimClient(this.#tenant, this.#tenant.clients.scim.token);
  }
}
