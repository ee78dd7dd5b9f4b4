import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { runningDemo, unique } from '../support/demo.ts';
import { asClient, asDemo, asOperator, type Ended, newHome, ostiary, program } from './command-line.ts';
import { tenantGraph } from './tenant-graph.ts';

const demo = runningDemo();
const folder = newHome();

let tenant = '';
beforeAll(async () => {
  tenant = unique('ops').toLowerCase().slice(0, 60);
  expect(await ostiary(['tenant', 'create', tenant], asOperator())).toMatchObject({ code: 0 });
});

const inside = (...args: string[]): Promise<Ended> =>
  ostiary([...args, '--operator', '--tenant', tenant, '--json', '--yes'], asOperator());

const asRival = (...args: string[]): Promise<Ended> =>
  ostiary([...args, '--json', '--yes'], asClient(demo.tenants.rival));

describe('ostiary connector', () => {
  const asked = async (base: string, token: string): Promise<number> =>
    (await fetch(`${base}/Users?count=1`, { headers: { authorization: `Bearer ${token}` } })).status;

  test('A connector is created, its token is rotated, it is disabled, enabled and deleted, and its tokens follow.', async () => {
    const { json: made } = await inside('connector', 'create', 'HR', '--profile-of-source', 'entra');
    expect(await asked(made.baseUrl, made.token)).toBe(200);
    const shown = await inside('connector', 'show', 'HR');
    expect(shown.json).toMatchObject({ name: 'HR', profile: 'ENTRA', tokens: [{ id: expect.any(String) }] });
    expect(shown.stdout).not.toContain(made.token);
    const { json: rotated } = await inside('connector', 'rotate-token', made.id, '--overlap', '0');
    expect([await asked(made.baseUrl, made.token), await asked(made.baseUrl, rotated.token)]).toEqual([
      401, 200,
    ]);
    expect(await inside('connector', 'disable', 'HR')).toMatchObject({ code: 0 });
    expect(await asked(made.baseUrl, rotated.token)).not.toBe(200);
    expect(await inside('connector', 'enable', 'HR')).toMatchObject({ code: 0 });
    expect(await asked(made.baseUrl, rotated.token)).toBe(200);
    // A client of another tenant cannot access it by name or id.
    for (const action of ['show', 'rotate-token', 'disable', 'delete'])
      for (const name of ['HR', made.id])
        expect(await asRival('connector', action, name)).toMatchObject({ code: 4, stdout: '' });
    expect(await asked(made.baseUrl, rotated.token)).toBe(200);
    expect(await inside('connector', 'delete', 'HR')).toMatchObject({ code: 0 });
    expect(await asked(made.baseUrl, rotated.token)).toBe(401);
    expect((await inside('connector', 'list')).json).toEqual([]);
    expect(await inside('connector', 'show', 'HR')).toMatchObject({ code: 4 });
  });

  test('An ambiguous connector name is rejected, and invalid numbers are rejected.', async () => {
    const [{ json: one }, { json: other }] = [
      await inside('connector', 'create', 'Twin'),
      await inside('connector', 'create', 'Twin'),
    ];
    const answer = await inside('connector', 'delete', 'Twin');
    expect([answer.code, answer.stderr.includes(one.id), answer.stderr.includes(other.id)]).toEqual([
      5,
      true,
      true,
    ]);
    expect(await inside('connector', 'rotate-token', one.id, '--overlap', '-1')).toMatchObject({ code: 2 });
    expect(await inside('connector', 'create', 'X', '--profile-of-source', 'x')).toMatchObject({ code: 2 });
  });
});

describe('ostiary client', () => {
  const issued = async (id: string, secret: string): Promise<number> => {
    const response = await fetch(`${demo.origin}/t/${tenant}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return response.status;
  };

  test('A client gets no token while it is disabled, and a client of another tenant can neither disable, enable nor rotate it.', async () => {
    const { json: made } = await inside('client', 'create', 'Reporting', '--scope', 'users:read');
    expect(await issued(made.id, made.clientSecret)).toBe(200);
    const { json: rotated } = await inside('client', 'rotate-secret', 'Reporting', '--overlap', '0');
    expect([await issued(made.id, made.clientSecret), await issued(made.id, rotated.clientSecret)]).toEqual([
      401, 200,
    ]);
    for (const args of [['disable'], ['rotate-secret', '--overlap', '0'], ['delete']]) {
      const [action = '', ...options] = args;
      for (const name of ['Reporting', made.id])
        expect(await asRival('client', action, name, ...options)).toMatchObject({ code: 4, stdout: '' });
    }
    expect(await issued(made.id, rotated.clientSecret)).toBe(200);
    expect((await inside('client', 'disable', 'Reporting')).json).toMatchObject({ disabled: true });
    expect(await issued(made.id, rotated.clientSecret)).toBe(401);
    for (const name of ['Reporting', made.id])
      expect(await asRival('client', 'enable', name)).toMatchObject({ code: 4, stdout: '' });
    expect(await issued(made.id, rotated.clientSecret)).toBe(401);
    expect((await inside('client', 'enable', made.id)).json).toMatchObject({ disabled: false });
    expect(await issued(made.id, rotated.clientSecret)).toBe(200);
  });
});

describe('ostiary keys', () => {
  interface Key {
    id: string;
    algorithm: string;
    state: string;
  }
  const current = async (): Promise<Key[]> =>
    ((await inside('keys', 'list')).json as Key[]).filter(({ state }) => /current/i.test(state));
  const published = async (): Promise<string[]> => {
    const { keys } = (await (await fetch(`${demo.origin}/t/${tenant}/jwks`)).json()) as {
      keys: { kid: string }[];
    };
    return keys.map(({ kid }) => kid);
  };

  test('Rotated keys have successors that are published immediately, and compromised keys are removed from the JWKS.', async () => {
    const before = (await current()).map(({ id }) => id);
    expect(before.length).toBeGreaterThan(0);
    const { json } = await inside('keys', 'rotate');
    const next = (json as Key[]).filter(({ state }) => state === 'NEXT').map(({ id }) => id);
    expect(next.length).toBe(before.length);
    expect(await published()).toEqual(expect.arrayContaining([...before, ...next]));
    expect(await inside('keys', 'rotate', '--compromised')).toMatchObject({ code: 0 });
    const after = await published();
    expect(after.filter((id) => before.includes(id) || next.includes(id))).toEqual([]);
    expect((await current()).map(({ id }) => id)).not.toEqual([]);
  });

  test('Without --yes no key is rotated, and the keys of another tenant are not accessible.', async () => {
    const before = await current();
    const args = ['keys', 'rotate', '--operator', '--tenant', tenant];
    expect(await ostiary(args, asOperator())).toMatchObject({ code: 2, stdout: '' });
    const env = { ...asClient(demo.tenants.rival), OSTIARY_TENANT: tenant };
    for (const action of ['list', 'rotate'])
      expect(await ostiary(['keys', action, '--yes'], env)).toMatchObject({ code: 3, stdout: '' });
    expect(await inside('keys', 'rotate', '--algorithm', 'none')).toMatchObject({ stdout: '' });
    expect(await current()).toEqual(before);
  });
});

describe('ostiary dead-letters', () => {
  const webhook = async (status: string): Promise<void> => {
    const path = join(folder, `${status}.json`);
    const endpoint = 'https://hooks.invalid/in';
    const webhooks = [{ name: 'Receiver', endpoint, status, types: ['USER_CREATED'] }];
    writeFileSync(path, JSON.stringify({ ostiary: 1, webhooks }));
    expect(await inside('apply', path)).toMatchObject({ code: 0 });
  };
  const letters = async (): Promise<{ id: string; receiverId: string }[]> =>
    (await inside('dead-letters', 'list')).json;

  test('Dead letters are listed, and one command retries one by id, those of a receiver, or all.', async () => {
    await webhook('PAUSED');
    for (const userName of ['one', 'two', 'three'])
      await tenantGraph(
        tenant,
        'mutation ($name: String!) { createUser(input: { userName: $name }) { problems { message } } }',
        { name: userName },
      );
    await eventually(
      () =>
        tenantGraph<{ deliveries: { edges: unknown[] } }>(
          tenant,
          '{ deliveries(first: 10, filter: { state: PENDING }) { edges { node { id } } } }',
          {},
        ),
      ({ deliveries }) => deliveries.edges.length === 3,
    );
    await webhook('DISABLED');
    const dead = await eventually(letters, (found) => found.length === 3);
    await webhook('PAUSED');
    const [first] = dead;
    expect(await asRival('dead-letters', 'replay', first?.id ?? '')).toMatchObject({ stdout: '' });
    expect((await asRival('dead-letters', 'replay', '--receiver', first?.receiverId ?? '')).json).toEqual({
      replayed: 0,
    });
    expect((await letters()).length).toBe(3);
    expect(await inside('dead-letters', 'replay')).toMatchObject({ code: 2, stdout: '' });
    expect((await inside('dead-letters', 'replay', first?.id ?? '')).json).toEqual({ replayed: 1 });
    expect((await inside('dead-letters', 'replay', '--all', '--since', '1h')).json).toEqual({ replayed: 2 });
    expect(await letters()).toEqual([]);
    expect((await inside('dead-letters', 'replay', '--all')).json).toEqual({ replayed: 0 });
  });

  test.each(['yesterday', '-1h', '1y'])('The time "%s" is rejected.', async (time) => {
    expect(await inside('dead-letters', 'list', `--since=${time}`)).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('output to a closed pipe', () => {
  test('A reader that closes the pipe after one line ends the command without an error message.', async () => {
    const script = `"$0" "$1" export | head -n 1; echo "\${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', script, process.execPath, program], {
      env: { PATH: process.env.PATH, HOME: newHome(), ...asDemo() },
    });
    let [said, complained] = ['', ''];
    child.stdout.on('data', (chunk) => {
      said += chunk;
    });
    child.stderr.on('data', (chunk) => {
      complained += chunk;
    });
    await new Promise((resolve) => child.once('close', resolve));
    expect([said, complained]).toEqual(['{\n0\n', '']);
  });
});
