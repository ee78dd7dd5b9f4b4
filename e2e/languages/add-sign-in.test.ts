import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { codeBlocksOf } from '../start/code-blocks.ts';
import { type AppPaths, SignInApp } from '../start/sign-in-app.ts';
import { testsOfSignIn } from '../start/sign-in-tests.ts';
import type { Demo } from '../support/demo.ts';
import { deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { codeOf, toolchains } from './toolchains.ts';

const paths: Record<keyof typeof toolchains, AppPaths> = {
  spring: {
    redirect: '/login/oauth2/code/ostiary',
    backchannelLogout: '/logout/connect/back-channel/ostiary',
  },
  go: { redirect: '/callback' },
  python: { redirect: '/callback' },
  apache: { redirect: '/callback', backchannelLogout: '/callback?logout=backchannel' },
};

let own: OwnSystem;
let demo: Demo;

beforeAll(async () => {
  own = await ownSystem({ of: { auth: deliversHere } });
  demo = own.demo;
});

afterAll(() => own?.stop());

test('Each code block of the guide is run here, except the configuration of oauth2-proxy.', () => {
  const languages = codeBlocksOf('guides/add-sign-in-other-languages.md').map(({ language }) => language);
  const run = ['yaml', 'java', 'xml', 'go', 'python', 'apache'];
  expect(languages.filter((language) => !['text', 'graphql', 'toml'].includes(language))).toEqual(run);
});

for (const [name, toolchain] of Object.entries(toolchains)) {
  if (toolchain.missing !== undefined) recordSkip(toolchain.missing);
  const describeWhereInstalled = toolchain.missing === undefined ? describe : describe.skip;
  describeWhereInstalled(`the app in ${name}`, () => {
    let folder: string;
    let app: SignInApp;

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'ostiary-sign-in-'));
      app = await SignInApp.registered(demo, codeOf('graphql'), paths[name as keyof typeof paths]);
      if (name === 'apache')
        app.paths.signOut = `/callback?logout=${encodeURIComponent(`${app.origin}/signed-out`)}`;
      await toolchain.start(app, folder);
    }, 300_000);

    afterAll(async () => {
      await app?.stop();
      await rm(folder, { recursive: true, force: true });
    });

    testsOfSignIn(() => ({ demo, app }));
  });
}
