import { expect } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import * as client from 'openid-client';
import { type Demo, type DemoTenant, type DemoUser, unique } from './demo.ts';
import { graph, meQuery } from './graph.ts';
import { ScimClient } from './scim.ts';
import { authorize, everyOwnScope, isSignedIn, type SignedIn, signIn } from './sign-in.ts';

export interface Person {
  id: string;
  user: DemoUser;
  signedIn: SignedIn;
}

/** Access paths of a user of one tenant: the graph, userinfo, SCIM /Me, the browser session and sign-in. */
export class Doors {
  readonly #demo: Demo;
  readonly #tenant: DemoTenant;
  readonly #scim: ScimClient;

  constructor(demo: Demo, tenant: DemoTenant, scim: ScimClient) {
    this.#demo = demo;
    this.#tenant = tenant;
    this.#scim = scim;
  }

  /** Creates a user with a password over SCIM, and signs in. */
  async employ(attributes: object = {}): Promise<Person> {
    const user = { userName: unique('leaver'), password: unique('correct horse battery') };
    const { id } = await this.#scim.createUser({ ...user, ...attributes });
    return { id, user, signedIn: await signIn(this.#demo, this.#tenant, user) };
  }

  async graph({ signedIn }: Person): Promise<number> {
    return (await graph(this.#demo, signedIn.tokens.access_token, meQuery)).status;
  }

  async userinfo({ signedIn }: Person): Promise<number> {
    const headers = { authorization: `Bearer ${signedIn.tokens.access_token}` };
    return (await fetch(`${this.#tenant.issuer}/userinfo`, { headers })).status;
  }

  async scim({ signedIn }: Person): Promise<number> {
    return (await new ScimClient(this.#tenant, signedIn.tokens.access_token).call('GET', '/Me')).status;
  }

  /** Reports whether the browser session is accepted. */
  async session({ signedIn }: Person): Promise<boolean> {
    const address = client.buildAuthorizationUrl(signedIn.config, {
      redirect_uri: 'http://127.0.0.1:53123/callback',
      scope: everyOwnScope,
      code_challenge: 'a'.repeat(43),
      code_challenge_method: 'S256',
      state: 'x',
      prompt: 'none',
    });
    return isSignedIn((await signedIn.browser.open(address)).url.searchParams);
  }

  async expectOpen(person: Person): Promise<void> {
    expect(await this.graph(person)).toBe(200);
    expect(await this.userinfo(person)).toBe(200);
    expect(await this.scim(person)).toBe(200);
    expect(await this.session(person)).toBe(true);
  }

  async expectClosed(person: Person): Promise<void> {
    const closing = [() => this.graph(person), () => this.userinfo(person), () => this.scim(person)];
    for (const door of closing) await eventually(door, (status) => status === 401);
    await this.expectDead(person);
    expect(await this.session(person)).toBe(false);
    await expect(authorize(this.#demo, this.#tenant, person.user)).rejects.toThrow(/the sign-in ended at/);
  }

  /** Expects that all earlier credentials are rejected, whether or not the user may sign in again. */
  async expectDead(person: Person): Promise<void> {
    expect([await this.graph(person), await this.userinfo(person), await this.scim(person)]).toEqual([
      401, 401, 401,
    ]);
    const { config, tokens } = person.signedIn;
    await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  }

  /** Signs in again as soon as that succeeds. */
  async return(person: Person): Promise<SignedIn> {
    const back = await eventually(
      () => signIn(this.#demo, this.#tenant, person.user).catch(() => undefined),
      (signedIn) => signedIn !== undefined,
    );
    if (!back) throw new Error('nobody came back');
    return back;
  }
}
