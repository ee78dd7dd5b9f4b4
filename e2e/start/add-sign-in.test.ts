import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Demo } from '../support/demo.ts';
import { deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { codeBlocksOf } from './code-blocks.ts';
import { folderWith, SignInApp } from './sign-in-app.ts';
import { testsOfSignIn } from './sign-in-tests.ts';

const blocks = codeBlocksOf('guides/add-sign-in.md');
const [mutation = ''] = blocks.filter(({ language }) => language === 'graphql').map(({ text }) => text);
const [logoutTokens = '', ...programs] = blocks
  .filter(({ language }) => language === 'js')
  .map(({ text }) => text);

const libraries: readonly [library: string, redirect: string][] = [
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

describe.each(libraries)('the app with %s', (library, redirect) => {
  let app: SignInApp;

  beforeAll(async () => {
    app = await SignInApp.registered(demo, mutation, { redirect });
    await writeFile(join(folder, 'logout-tokens.mjs'), app.adapted(logoutTokens));
    const index = libraries.findIndex(([name]) => name === library);
    await app.run(folder, `app-${index}.mjs`, programs[index] ?? '');
  });

  afterAll(() => app?.stop());

  testsOfSignIn(() => ({ demo, app }));
});
