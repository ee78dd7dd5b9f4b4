import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken } from '../support/sign-in.ts';
import { ProtectedApi } from '../verifier/registered.ts';
import { GuardProcess } from './guard-process.ts';

const demo = runningDemo();
const tenant = demo.tenants.demo;
const folder = mkdtempSync(join(tmpdir(), 'ostiary-guard-secrets-'));
const pathOf = (name: string): string => join(folder, name);
const write = (name: string, value: string): void => writeFileSync(pathOf(name), `${value}\n`);
const secrets = Object.fromEntries(
  ['CLIENT_SECRET', 'GUARD_KEY', 'GUARD_KEY_SECOND'].map((name) => [`${name}_FILE`, pathOf(name)]),
);
const freshKey = (): string => randomBytes(32).toString('base64url');

let orders: ProtectedApi;
let tokens: string[];
/** Guards to which the proxy sends requests. */
const guards: GuardProcess[] = [];
let requests: Requests;

async function changed(mutation: string, type: string, input: object) {
  const document = `mutation ($input: ${type}!) { it: ${mutation} }`;
  const { data, errors } = await graph(demo, await adminToken(tenant), document, { input });
  expect([errors, data?.it.problems]).toEqual([[], []]);
  return data.it;
}

/** Creates a secret of the client, next to the current one. Older ones are deleted. */
async function rotateClientSecret(): Promise<string> {
  const { clientSecret } = await changed(
    'rotateClientSecret(input: $input) { clientSecret problems { message } }',
    'RotateClientSecretInput',
    { id: orders.options.clientId },
  );
  return clientSecret;
}

async function started(): Promise<GuardProcess> {
  const guard = await GuardProcess.start(orders, { secrets });
  await eventually(async () => (await guard.readiness()) === 200);
  return guard;
}

/** Replaces one guard after the other, as an orchestrator does: the former one ends after the new one is ready. */
async function rollOut(): Promise<void> {
  for (const place of guards.keys()) {
    const [former] = guards.splice(place, 1, await started());
    // The drain is tested elsewhere: here the guard ends after its last request.
    await requests.answered();
    expect(await former?.stop()).toBe(0);
  }
  const before = requests.permitted;
  await eventually(() => requests.permitted >= before + 20 || requests.failures.length > 0);
}

/** Requests that are sent while guards are replaced. The API verifies the assertion of each. */
class Requests {
  permitted = 0;
  readonly failures: string[] = [];
  readonly keyIds = new Set<string | undefined>();
  #keys: ReturnType<typeof createLocalJWKSet> | undefined;
  #isOver = false;
  #current: Promise<unknown> = Promise.resolve();
  #running: Promise<void> | undefined;

  start(): void {
    this.#running = this.#send();
  }

  /** Reads the keys of one guard, as the API does from time to time. Returns their identifiers. */
  async readKeys(): Promise<(string | undefined)[]> {
    const answer = await fetch(`http://127.0.0.1:${guards[0]?.port}/.well-known/jwks.json`);
    const read = (await answer.json()) as JSONWebKeySet;
    this.#keys = createLocalJWKSet(read);
    return read.keys.map(({ kid }) => kid);
  }

  /** Resolves after the answer to the current request. */
  async answered(): Promise<void> {
    await this.#current;
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #send(): Promise<void> {
    for (let number = 0; !this.#isOver; number += 1) {
      const guard = guards[number % guards.length];
      const token = tokens[Math.floor(number / guards.length) % tokens.length];
      this.#current = this.#one(guard as GuardProcess, token as string).then(
        () => (this.permitted += 1),
        (error: unknown) => this.failures.push(String(error)),
      );
      await this.#current;
    }
  }

  async #one(guard: GuardProcess, token: string): Promise<void> {
    const { status, headers } = await guard.ask(orders, { authorization: `Bearer ${token}` });
    if (status !== 200) throw new Error(`answered ${status}`);
    const { protectedHeader } = await jwtVerify(
      headers.get('x-ostiary-assertion') ?? '',
      this.#keys as ReturnType<typeof createLocalJWKSet>,
      { typ: 'guard+jwt', audience: new URL(orders.audience).host },
    );
    this.keyIds.add(protectedHeader.kid);
  }
}

beforeAll(async () => {
  orders = await new ProtectedApi(demo, tenant).register();
  const { token } = await orders.hire();
  const name = unique('orders');
  await changed('registerApi(input: $input) { problems { message } }', 'RegisterApiInput', {
    ...{ identifier: orders.audience, name, tokenFormat: 'OPAQUE', scopes: [{ name: `${name}:read` }] },
  });
  // The second one is introspected with the secret of the client in each request.
  tokens = [token, await orders.clientToken()];
  write('CLIENT_SECRET', orders.options.clientSecret);
  write('GUARD_KEY', freshKey());
});

afterAll(async () => {
  await requests?.end();
  for (const guard of guards) await guard.stop();
  rmSync(folder, { recursive: true, force: true });
});

test('No request fails while a new client secret and a new key of assertions reach two guards in three rollouts from files.', async () => {
  const [former, next] = [freshKey(), freshKey()];
  expect(tokens.map((token) => token.startsWith('ost_at_'))).toEqual([false, true]);
  write('GUARD_KEY', former);
  guards.push(await started(), await started());
  requests = new Requests();
  const [formerId, ...none] = await requests.readKeys();
  expect(none).toEqual([]);
  requests.start();

  write('GUARD_KEY_SECOND', next);
  write('CLIENT_SECRET', await rotateClientSecret());
  await rollOut();
  const announced = await requests.readKeys();
  expect([announced.length, announced[0]]).toEqual([2, formerId]);
  // Deletes the secret with which the guards started.
  const secret = await rotateClientSecret();

  write('GUARD_KEY', next);
  write('GUARD_KEY_SECOND', former);
  write('CLIENT_SECRET', secret);
  expect([...requests.keyIds]).toEqual([formerId]);
  await rollOut();
  expect(await requests.readKeys()).toEqual(announced.toReversed());

  rmSync(pathOf('GUARD_KEY_SECOND'));
  await rollOut();
  expect(await requests.readKeys()).toEqual([announced[1]]);

  await requests.end();
  expect(requests.failures).toEqual([]);
  expect([...requests.keyIds]).toEqual(announced);
});
