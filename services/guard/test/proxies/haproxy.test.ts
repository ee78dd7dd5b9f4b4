import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { StubIssuer } from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { TestGuard } from '../support/guard.ts';
import { App, freePort, programOf, RealProxy, send } from '../support/proxies.ts';

const isAvailable = programOf('haproxy') !== undefined;
if (!isAvailable) recordSkip('HAPROXY_PATH names no haproxy (apt: haproxy)');
const testWithHaproxy = isAvailable ? test : test.skip;

let issuer: StubIssuer;
let guard: TestGuard;
let app: App;

beforeAll(async () => {
  if (!isAvailable) return;
  issuer = await new StubIssuer().start();
  app = await App.start();
  guard = await TestGuard.start(issuer, { proxy: 'haproxy' });
  await eventually(async () => (await guard.ask({}, '/readyz')).status === 200);
});

afterAll(async () => {
  await guard?.stop();
  await app?.stop();
  await issuer?.stop();
});

beforeEach(() => {
  app?.received.splice(0);
});

/** Runs with HAProxy in front of the guard. @param change edits the configuration of the guide */
async function behind(
  run: (port: number) => Promise<void>,
  change?: (text: string) => string,
): Promise<void> {
  const port = await freePort();
  const proxy = await RealProxy.start('haproxy', { proxy: port, guard: guard.port, app: app.port }, change);
  try {
    await run(port);
  } finally {
    await proxy.stop();
  }
}

testWithHaproxy(
  'After an error of the action, only the rule "deny" of the configuration keeps the request from the app.',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-guard-lua-'));
    const path = join(folder, 'failing.lua');
    await writeFile(path, 'core.httpclient = function() error("The client fails.") end\n');
    const failing = (text: string): string => text.replace('global\n', `global\n  lua-load ${path}\n`);
    const withoutRule = (text: string): string =>
      text.replace(/^ *http-request deny deny_status 503 unless .*ostiary_permitted.*\n/m, '');
    const asked = async (port: number): Promise<[number, number]> => {
      app.received.splice(0);
      const { status } = await send(port, '/orders', { authorization: await issuer.bearer() });
      return [status, app.received.length];
    };
    try {
      await behind(async (port) => expect(await asked(port)).toEqual([503, 0]), failing);
      // Without the rule, the same request shows that the error was one.
      await behind(
        async (port) => expect(await asked(port)).toEqual([200, 1]),
        (text) => withoutRule(failing(text)),
      );
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

testWithHaproxy(
  'While the buffer of HAProxy is nearly full, the app gets every header of the identity, or no request.',
  async () => {
    // The buffer has 16,384 bytes, of which 1,024 are reserved for changes of the headers: too few for this identity.
    const scope = `openid ${'long'.repeat(250)}`;
    const authorization = await issuer.bearer({ scope, sid: 'session-1' });
    const statuses = new Set<number>();
    await behind(async (port) => {
      for (let size = 10_000; size <= 16_000; size += 100) {
        const { status } = await send(port, '/orders', { authorization, 'x-filler': 'a'.repeat(size) });
        statuses.add(status);
      }
    });
    const identities = app.received.map(({ headers }) => [
      headers['x-ostiary-subject'],
      headers['x-ostiary-client'],
      headers['x-ostiary-session'],
      typeof headers['x-ostiary-assertion'],
    ]);
    expect(identities.length).toBeGreaterThan(0);
    expect(new Set(identities.map(String))).toEqual(new Set(['user-1,shop,session-1,string']));
    expect([...statuses]).toEqual(expect.arrayContaining([200, 431]));
  },
);
