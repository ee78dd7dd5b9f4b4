import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Demo } from '../support/demo.ts';
import { deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { authorize, redeem } from '../support/sign-in.ts';
import { codeBlocksOf } from './code-blocks.ts';
import { folderWith, hired, offboarded, SignInApp, Visitor } from './sign-in-app.ts';

const blocks = codeBlocksOf('guides/add-sign-in.md');
const [mutation = ''] = blocks.filter(({ language }) => language === 'graphql').map(({ text }) => text);
const [logoutTokens = '', ...programs] = blocks
  .filter(({ language }) => language === 'js')
  .map(({ text }) => text);

const libraries: readonly [library: string, redirectPath: string][] = [
  ['openid-client', '/callback'],
  ['passport', '/callback'],
  ['express-openid-connect', '/callback'],
  ['Auth.js', '/auth/callback/ostiary'],
  ['better-auth', '/api/auth/callback/ostiary'],
];

let own: OwnSystem;
let demo: Demo;
let folder: string;

beforeAll(async () => {
  own = await ownSystem({ of: { auth: deliversHere } });
  demo = own.demo;
  folder = await folderWith([
    'express',
    'express-session',
    'jose',
    'openid-client',
    'passport',
    'express-openid-connect',
    '@auth/express',
    'better-auth',
  ]);
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await own?.stop();
});

test('The guide has a program for each library.', () => {
  expect(programs).toHaveLength(libraries.length);
});

describe.each(libraries)('the app with %s', (library, redirectPath) => {
  let app: SignInApp;

  beforeAll(async () => {
    app = await SignInApp.registered(demo, mutation, redirectPath);
    await writeFile(join(folder, 'logout-tokens.mjs'), app.adapted(logoutTokens));
    const index = libraries.findIndex(([name]) => name === library);
    await app.run(folder, `app-${index}.mjs`, programs[index] ?? '');
  });

  afterAll(() => app?.stop());

  test('A user signs in, signs out of the app and of the issuer, and is asked for the password again.', async () => {
    const user = await hired(demo.tenants.demo);
    const visitor = new Visitor(demo, app);
    await visitor.signIn(user);
    expect((await visitor.signOut()).href).toBe(`${app.origin}/signed-out`);
    expect(await visitor.name()).toBeUndefined();
    expect(await visitor.isAskedToSignIn()).toBe(true);
  });

  test('An offboarding ends every session of the user, and the sessions of other users continue.', async () => {
    const [user, other] = [await hired(demo.tenants.demo), await hired(demo.tenants.demo)];
    const visitors = [new Visitor(demo, app), new Visitor(demo, app)];
    for (const visitor of visitors) await visitor.signIn(user);
    const colleague = new Visitor(demo, app);
    await colleague.signIn(other);
    await offboarded(demo.tenants.demo, user);
    for (const visitor of visitors) await eventually(async () => (await visitor.name()) === undefined);
    expect(await colleague.name()).toBe(other.userName);
  });

  test('A response with a code of another tenant does not sign a user in.', async () => {
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
    const user = await hired(demo.tenants.demo);
    const visitor = new Visitor(demo, app);
    await visitor.signIn(user);
    const { rival } = demo.tenants;
    const { tokens } = await redeem(await authorize(demo, rival, rival.users.alice));
    for (const token of ['none', tokens.id_token ?? '']) {
      const { status } = await fetch(`${app.origin}/backchannel-logout`, {
        method: 'POST',
        body: new URLSearchParams({ logout_token: token }),
      });
      expect(status).toBe(400);
    }
    const { status } = await fetch(`${app.origin}/backchannel-logout`, { method: 'POST' });
    expect(status).toBe(400);
    expect(await visitor.name()).toBe(user.userName);
  });
});
