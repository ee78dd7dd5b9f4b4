import { type ChildProcess, spawn } from 'node:child_process';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Browser } from '../support/browser.ts';
import { runningDemo } from '../support/demo.ts';
import { walk } from '../support/sign-in.ts';
import { codeBlocksOf } from './code-blocks.ts';
import { adaptedTo, folderWith, hired, offboarded, registeredBy } from './sign-in-app.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const blocks = codeBlocksOf('guides/add-sign-in-to-clients.md');
const codeOf = (language: string, part: string): string =>
  adaptedTo(
    blocks.find((block) => block.language === language && block.text.includes(part))?.text ?? '',
    demo,
    '',
  );
const example = fileURLToPath(new URL('../../docs/examples/sign-in.mjs', import.meta.url));

interface Tokens {
  subject: string;
  refresh_token: string;
}

/** A program of the guide that prints an address for the user, and then tokens. */
class Program {
  readonly #process: ChildProcess;
  #printed = '';
  #asked = '';

  constructor(file: string, env: Record<string, string>) {
    this.#process = spawn(process.execPath, [file], {
      cwd: folder,
      env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process.stdout?.on('data', (chunk: Buffer) => {
      this.#printed += chunk.toString();
    });
    this.#process.stderr?.on('data', (chunk: Buffer) => {
      this.#asked += chunk.toString();
    });
  }

  /** Returns the last address that the program shows. */
  async address(): Promise<URL> {
    const asked = await eventually(
      () => this.#asked,
      (text) => /https?:\/\/\S+\s*$/.test(text),
    );
    return new URL(/\S+\s*$/.exec(asked)?.[0].trim() ?? '');
  }

  async tokens(): Promise<Tokens> {
    await eventually(() => this.#process.exitCode !== null);
    expect([this.#process.exitCode, this.#asked]).toEqual([0, expect.any(String)]);
    return JSON.parse(this.#printed) as Tokens;
  }

  stop(): void {
    this.#process.kill();
  }
}

let folder: string;

beforeAll(async () => {
  folder = await folderWith(['openid-client']);
  await copyFile(example, join(folder, 'sign-in.mjs'));
  await writeFile(join(folder, 'device.mjs'), codeOf('js', 'initiateDeviceAuthorization'));
  await writeFile(join(folder, 'renewed.mjs'), codeOf('js', 'refreshTokenGrant'));
  const renewing = `
    import * as client from 'openid-client';
    import { renewed } from './renewed.mjs';
    const { ISSUER, CLIENT_ID, REFRESH_TOKEN } = process.env;
    const config = await client.discovery(new URL(ISSUER), CLIENT_ID, undefined, client.None(), {
      execute: [client.allowInsecureRequests],
    });
    console.log(JSON.stringify((await renewed(config, REFRESH_TOKEN)) ?? {}));`;
  await writeFile(join(folder, 'renewing.mjs'), renewing);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Renews tokens with the function of the guide. @returns the new refresh token, or undefined after a rejection */
async function renewal(clientId: string, refreshToken: string): Promise<string | undefined> {
  const program = new Program('renewing.mjs', {
    ISSUER: tenant.issuer,
    CLIENT_ID: clientId,
    REFRESH_TOKEN: refreshToken,
  });
  return (await program.tokens()).refresh_token;
}

/** Expects that the tokens are renewed until the user is offboarded. */
async function endWithTheUser(clientId: string, user: Awaited<ReturnType<typeof hired>>, tokens: Tokens) {
  expect(tokens.subject).toBe(user.id);
  const next = await renewal(clientId, tokens.refresh_token);
  expect(next).toEqual(expect.any(String));
  await offboarded(tenant, user);
  await eventually(async () => (await renewal(clientId, next ?? '')) === undefined);
}

test('A native app signs a user in at a loopback address, and its tokens are renewed until the user is offboarded.', async () => {
  const { id } = await registeredBy(demo, tenant, codeOf('graphql', 'NATIVE'));
  const user = await hired(tenant);
  const program = new Program('sign-in.mjs', { ISSUER: tenant.issuer, CLIENT_ID: id });
  try {
    const { url } = await walk(new Browser(demo.origin), await program.address(), user);
    expect([url.hostname, url.pathname]).toEqual(['127.0.0.1', '/callback']);
    expect((await fetch(url)).status).toBe(200);
    await endWithTheUser(id, user, await program.tokens());
  } finally {
    program.stop();
  }
});

test('A device is allowed by its user in a browser, and its tokens are renewed until the user is offboarded.', async () => {
  const { id } = await registeredBy(demo, tenant, codeOf('graphql', 'DEVICE'));
  const user = await hired(tenant);
  const program = new Program('device.mjs', { CLIENT_ID: id });
  try {
    const { status, url } = await walk(new Browser(demo.origin), await program.address(), user);
    expect([status, url.pathname]).toEqual([200, '/t/demo/device/finished']);
    await endWithTheUser(id, user, await program.tokens());
  } finally {
    program.stop();
  }
});

test('The user code of a device is rejected in another tenant.', async () => {
  const { id } = await registeredBy(demo, tenant, codeOf('graphql', 'DEVICE'));
  const program = new Program('device.mjs', { CLIENT_ID: id });
  try {
    const code = (await program.address()).searchParams.get('user_code') ?? '';
    const browser = new Browser(demo.origin);
    const entry = await browser.open(`${rival.issuer}/device`);
    expect((await browser.submit(entry, { user_code: code })).status).toBe(400);
  } finally {
    program.stop();
  }
});
