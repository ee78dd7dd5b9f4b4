import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { Browser, type Page } from '../support/browser.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken, walk } from '../support/sign-in.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;

interface App {
  origin: string;
  process: ChildProcess;
}

const apps: App[] = [];

/** Starts an Express app that is registered as a confidential client with one authentication method. */
async function startApp(method: 'CLIENT_SECRET_BASIC' | 'CLIENT_SECRET_POST'): Promise<App> {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const callback = `${origin}/callback`;
  const { data, errors } = await graph(
    demo,
    await adminToken(tenant),
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { clientSecret client { id } } }',
    {
      input: {
        name: unique('express'),
        tokenEndpointAuthMethod: method,
        redirectUris: [callback],
        grantTypes: ['authorization_code', 'refresh_token'],
        scopes: ['openid', 'profile', 'email', 'offline_access'],
      },
    },
  );
  expect(errors).toEqual([]);
  const { client, clientSecret } = data.registerClient;
  const settings = {
    issuer: tenant.issuer,
    clientId: client.id,
    clientSecret,
    callback,
    scope: ['openid', 'profile', 'email', 'offline_access'],
  };
  const child = fork(fileURLToPath(new URL('./passport-app.mjs', import.meta.url)), {
    env: { PATH: process.env.PATH, APP: JSON.stringify(settings) },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const app = { origin, process: child };
  apps.push(app);
  await once(child, 'message');
  return app;
}

let app: App;
beforeAll(async () => {
  // passport-oauth2 sends the secret in the form.
  app = await startApp('CLIENT_SECRET_POST');
});

afterAll(async () => {
  for (const { process: child } of apps) {
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
});

/** Signs in at the app. @returns the page to which the browser is redirected, and the app's cookie */
async function signInAt({ origin }: App): Promise<{ back: Page; cookie: string }> {
  const start = await fetch(`${origin}/login`, { redirect: 'manual' });
  const cookie = start.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const address = new URL(start.headers.get('location') ?? '');
  expect(address.searchParams.get('code_challenge_method')).toBe('S256');
  const back = await walk(new Browser(demo.origin), address, tenant.users.alice);
  return { back, cookie };
}

describe('passport-oauth2 on Express', () => {
  test('The app signs a user in with state and PKCE, reads userinfo and refreshes.', async () => {
    const { back, cookie } = await signInAt(app);
    expect(back.url.origin).toBe(app.origin);
    const answer = await fetch(back.url, { headers: { cookie } });
    expect(answer.status).toBe(200);
    const user = (await answer.json()) as {
      refreshToken: string;
      params: { token_type: string; expires_in: number; id_token: string };
      profile: { preferred_username: string; email: string };
    };
    expect(user.profile.preferred_username).toBe(tenant.users.alice.userName);
    expect(user.params).toMatchObject({ token_type: 'Bearer', id_token: expect.any(String) });

    const refreshed = await fetch(`${app.origin}/refresh?token=${encodeURIComponent(user.refreshToken)}`);
    expect(refreshed.status).toBe(200);
    expect(((await refreshed.json()) as { refreshToken: string }).refreshToken).not.toBe(user.refreshToken);
  });

  test('The app receives an error when a code was used before.', async () => {
    const { back, cookie } = await signInAt(app);
    const { back: other, cookie: otherCookie } = await signInAt(app);
    expect((await fetch(back.url, { headers: { cookie } })).status).toBe(200);
    const replay = new URL(other.url);
    replay.searchParams.set('code', back.url.searchParams.get('code') ?? '');
    const answer = await fetch(replay, { headers: { cookie: otherCookie } });
    expect(await answer.json()).toMatchObject({ name: 'TokenError', code: 'invalid_grant' });
  });

  test('A response that arrives from another browser is rejected.', async () => {
    const { back } = await signInAt(app);
    expect((await fetch(back.url)).status).toBe(403);
  });

  test('The app is rejected when it is registered for the other authentication method.', async () => {
    const basic = await startApp('CLIENT_SECRET_BASIC');
    const { back, cookie } = await signInAt(basic);
    const answer = await fetch(back.url, { headers: { cookie } });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ code: 'invalid_client' });
  });
});
