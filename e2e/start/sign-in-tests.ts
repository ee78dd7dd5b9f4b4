import { expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Demo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken, authorize, redeem } from '../support/sign-in.ts';
import { hired, offboarded, type SignInApp, Visitor } from './sign-in-app.ts';

type Started = () => { demo: Demo; app: SignInApp };

/** Declares the tests of a web app that a guide adds sign-in to. */
export function testsOfSignIn(of: Started): void {
  testsOfSessions(of);
  testsOfForgeries(of);
}

function testsOfSessions(of: Started): void {
  test('A user signs in, signs out of the app and of the issuer, and is asked for the password again.', async () => {
    const { demo, app } = of();
    const user = await hired(demo.tenants.demo);
    const visitor = new Visitor(demo, app);
    await visitor.signIn(user);
    expect((await visitor.signOut()).href).toBe(`${app.origin}/signed-out`);
    expect(await visitor.name()).toBeUndefined();
    expect(await visitor.isAskedToSignIn()).toBe(true);
  });

  test('An offboarding ends every session of the user, and the sessions of other users continue.', async () => {
    const { demo, app } = of();
    const [user, other] = [await hired(demo.tenants.demo), await hired(demo.tenants.demo)];
    const visitors = [new Visitor(demo, app), new Visitor(demo, app)];
    for (const visitor of visitors) await visitor.signIn(user);
    const colleague = new Visitor(demo, app);
    await colleague.signIn(other);
    await offboarded(demo.tenants.demo, user);
    for (const visitor of visitors) await eventually(async () => (await visitor.name()) === undefined);
    expect(await colleague.name()).toBe(other.userName);
  });

  test('Sessions that an administrator has revoked stay ended when the user signs in again.', async () => {
    const { demo, app } = of();
    const { demo: tenant } = demo.tenants;
    const user = await hired(tenant);
    const revoked = [new Visitor(demo, app), new Visitor(demo, app)];
    for (const visitor of revoked) await visitor.signIn(user);
    const mutation =
      'mutation ($userId: ID!) { revokeAllSessions(input: { userId: $userId }) { problems { message } } }';
    const { data, errors } = await graph(demo, await adminToken(tenant), mutation, { userId: user.id });
    expect([errors, data?.revokeAllSessions.problems]).toEqual([[], []]);
    for (const visitor of revoked) await eventually(async () => (await visitor.name()) === undefined);
    const again = new Visitor(demo, app);
    // Logout tokens have a time in whole seconds.
    await eventually(async () => {
      await again.open(await again.toCallback(user));
      return (await again.name()) === user.userName;
    });
    for (const visitor of revoked) expect(await visitor.name()).toBeUndefined();
  });
}

function testsOfForgeries(of: Started): void {
  test('A response with a code of another tenant does not sign a user in.', async () => {
    const { demo, app } = of();
    const { demo: tenant, rival } = demo.tenants;
    const { callback } = await authorize(demo, rival, rival.users.alice);
    for (const issuer of [rival.issuer, tenant.issuer]) {
      const visitor = new Visitor(demo, app);
      const response = await visitor.toCallback(tenant.users.bob);
      response.searchParams.set('code', callback.searchParams.get('code') ?? '');
      response.searchParams.set('iss', issuer);
      await visitor.open(response);
      expect(await visitor.name()).toBeUndefined();
    }
  });

  test('A logout token that the tenant did not issue is rejected.', async () => {
    const { demo, app } = of();
    const user = await hired(demo.tenants.demo);
    const visitor = new Visitor(demo, app);
    await visitor.signIn(user);
    const { rival } = demo.tenants;
    const { tokens } = await redeem(await authorize(demo, rival, rival.users.alice));
    const endpoint = `${app.origin}${app.paths.backchannelLogout}`;
    for (const token of ['none', tokens.id_token ?? '']) {
      const { status } = await fetch(endpoint, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
      expect(status).toBe(400);
    }
    const { status } = await fetch(endpoint, { method: 'POST' });
    expect(status).toBe(400);
    expect(await visitor.name()).toBe(user.userName);
  });
}
