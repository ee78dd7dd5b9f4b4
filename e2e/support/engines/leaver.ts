import { setTimeout as sleep } from 'node:timers/promises';
import * as client from 'openid-client';
import { type Demo, type DemoUser, unique } from '../demo.ts';
import { graph, meQuery } from '../graph.ts';
import { ScimClient } from '../scim.ts';
import { type SignedIn, signIn } from '../sign-in.ts';

/** Timeout in milliseconds. */
const patienceMs = 60_000;

/** A signed-in user of the demo tenant who will be offboarded. */
export class Leaver {
  readonly #demo: Demo;
  readonly #source: ScimClient;
  readonly #id: string;
  readonly #user: DemoUser;
  readonly #signedIn: SignedIn;

  private constructor(demo: Demo, source: ScimClient, id: string, user: DemoUser, signedIn: SignedIn) {
    this.#demo = demo;
    this.#source = source;
    this.#id = id;
    this.#user = user;
    this.#signedIn = signedIn;
  }

  static async employ(demo: Demo, source: ScimClient): Promise<Leaver> {
    const user = { userName: unique('leaver'), password: unique('correct horse battery') };
    const { id } = await source.createUser(user);
    return new Leaver(demo, source, id, user, await signIn(demo, demo.tenants.demo, user));
  }

  /**
   * @param o.again whether a request answered with 503 is retried, as identity sources do
   * @returns milliseconds from the answer until the last access path was closed
   */
  async leave(o: { again: boolean } = { again: false }): Promise<number> {
    await this.#deactivate(o.again);
    const leftAt = performance.now();
    while ((await this.#statuses()).some((door) => door !== 401)) {
      if (performance.now() - leftAt > patienceMs) throw new Error('a door stays open');
      await sleep(20);
    }
    return performance.now() - leftAt;
  }

  async #deactivate(again: boolean): Promise<void> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const { status } = await this.#source.patch(`/Users/${this.#id}`, [
        { op: 'replace', path: 'active', value: false },
      ]);
      if (status === 200 || status === 204) return;
      if (!again || status !== 503 || performance.now() > deadline)
        throw new Error(`the departure was answered with ${status}`);
      await sleep(100);
    }
  }

  /** Returns the open access paths. */
  async open(): Promise<string[]> {
    const { config, tokens } = this.#signedIn;
    const tenant = this.#demo.tenants.demo;
    const [graphs, userinfo, scim] = await this.#statuses();
    const isIn = {
      graph: graphs === 200,
      userinfo: userinfo === 200,
      scim: scim === 200,
      refresh: await opens(client.refreshTokenGrant(config, tokens.refresh_token ?? ''), /invalid_grant/),
      // Checks the code, because the browser is also redirected to the client with an error.
      'sign-in': await opens(signIn(this.#demo, tenant, this.#user), /the sign-in ended at/),
    };
    return Object.entries(isIn).flatMap(([door, open]) => (open ? [door] : []));
  }

  async #statuses(): Promise<number[]> {
    const { access_token: token } = this.#signedIn.tokens;
    const tenant = this.#demo.tenants.demo;
    const headers = { authorization: `Bearer ${token}` };
    return Promise.all([
      graph(this.#demo, token, meQuery).then(({ status }) => status),
      fetch(`${tenant.issuer}/userinfo`, { headers }).then(({ status }) => status),
      new ScimClient(tenant, token).call('GET', '/Me').then(({ status }) => status),
    ]);
  }
}

/** @throws any error that is not a rejection */
async function opens(entering: Promise<unknown>, refusal: RegExp): Promise<boolean> {
  try {
    await entering;
    return true;
  } catch (error) {
    const { error: code = '', message = '' } = error as { error?: string; message?: string };
    if (refusal.test(code) || refusal.test(message)) return false;
    throw error;
  }
}
