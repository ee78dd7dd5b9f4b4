import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import {
  asClient,
  asDemo,
  asOperator,
  ended,
  newHome,
  operatorSecret,
  ostiary,
  start,
} from './command-line.ts';

const demo = runningDemo();
const newTenant = (): string => unique('made').toLowerCase().slice(0, 60);

describe('ostiary tenant create', () => {
  test('One command creates a tenant with a working client and an administrator with an invitation link.', async () => {
    const id = newTenant();
    const created = await ostiary(
      ['tenant', 'create', id, '--name', 'Made "here"', '--admin', `ada@${id}.example`, '--json'],
      asOperator(),
    );
    expect(created).toMatchObject({ code: 0 });
    const { tenant, client, commandLine, admin, console: address } = created.json;
    expect(tenant).toEqual({ id, name: 'Made "here"', issuer: `${demo.origin}/t/${id}` });
    expect(address).toBe(`${demo.console}/`);
    expect(admin.invitation).toMatch(new RegExp(`^${demo.origin}/t/${id}/invitation\\?token=`));
    expect((await fetch(admin.invitation)).status).toBe(200);
    const env = {
      OSTIARY_SERVER: demo.origin,
      OSTIARY_TENANT: id,
      OSTIARY_CLIENT_ID: client.id,
      OSTIARY_CLIENT_SECRET: client.secret,
    };
    const doors = await ostiary(['user', 'doors', `ada@${id}.example`, '--json'], env);
    expect(doors.json).toMatchObject({ user: { userName: `ada@${id}.example` }, roles: ['TENANT_ADMIN'] });
    const clients = (await ostiary(['client', 'list', '--json'], env)).json as { id: string; type: string }[];
    expect(clients.map((each) => [each.id, each.type]).sort()).toEqual(
      [
        [client.id, 'CONFIDENTIAL'],
        [commandLine.clientId, 'PUBLIC'],
        ['console', 'PUBLIC'],
      ].sort(),
    );
  });

  test('A repeated command changes nothing, shows no secret, and states how to get one.', async () => {
    const id = newTenant();
    const first = await ostiary(['tenant', 'create', id, '--json'], asOperator());
    const second = await ostiary(['tenant', 'create', id, '--json'], asOperator());
    expect(second).toMatchObject({ code: 0, stderr: expect.stringContaining('client rotate-secret') });
    const renamed = await ostiary(['tenant', 'create', id, '--name', 'Other', '--json'], asOperator());
    expect([renamed.code, renamed.json.tenant.name, renamed.stderr]).toEqual([
      0,
      first.json.tenant.name,
      expect.stringContaining('--name does not change it'),
    ]);
    expect(second.json).toEqual({ ...first.json, client: { ...first.json.client, secret: null } });
    const rotated = await ostiary(
      ['client', 'rotate-secret', first.json.client.id, '--operator', '--tenant', id, '--json'],
      asOperator(),
    );
    expect(rotated.json.clientSecret).not.toBe(first.json.client.secret);
  });

  test('If the administrator cannot be created, the error states that the tenant exists and how to get its secret.', async () => {
    const id = newTenant();
    const broken = await ostiary(['tenant', 'create', id, '--admin', 'x'.repeat(3_000)], asOperator());
    expect([broken.code, broken.stdout]).toEqual([1, '']);
    expect(broken.stderr).toContain(`The tenant ${id} and a client were created`);
    const [, command = ''] = /ostiary (client rotate-secret .+)$/m.exec(broken.stderr) ?? [];
    const { json } = await ostiary([...command.split(' '), '--json'], asOperator());
    const again = await ostiary(['tenant', 'create', id, '--admin', 'ada', '--json'], asOperator());
    expect([again.code, again.json.client.id, again.json.admin.userName]).toEqual([0, json.id, 'ada']);
  });

  test('Five parallel runs of the command create one tenant with two clients beside the console, and one run shows the secret.', async () => {
    const id = newTenant();
    const all = await Promise.all(
      Array.from({ length: 5 }, () =>
        ostiary(['tenant', 'create', id, '--admin', 'ada', '--json'], asOperator()),
      ),
    );
    const done = all.filter(({ code }) => code === 0);
    expect(all.map(({ code, stderr }) => ({ code, stderr: code === 0 ? '' : stderr }))).toEqual(
      all.map(() => ({ code: 0, stderr: '' })),
    );
    expect(done.filter(({ json }) => json.client.secret !== null)).toHaveLength(1);
    expect(
      new Set(done.map(({ json }) => `${json.client.id} ${json.commandLine.clientId} ${json.admin.id}`)).size,
    ).toBe(1);
    const clients = await ostiary(['client', 'list', '--operator', '--tenant', id, '--json'], asOperator());
    expect(clients.json).toHaveLength(3);
  });

  test('Killed at any time, the command completes the tenant when it is repeated.', async () => {
    await Promise.all(
      [150, 300, 450, 600, 800, 1_000].map(async (afterMs) => {
        const id = newTenant();
        const child = start(['tenant', 'create', id, '--admin', 'ada', '--json'], asOperator());
        const killed = ended(child);
        await new Promise((resolve) => setTimeout(resolve, afterMs));
        child.kill('SIGKILL');
        await killed;
        const again = await ostiary(['tenant', 'create', id, '--admin', 'ada', '--json'], asOperator());
        expect(again).toMatchObject({ code: 0 });
        const inside = ['--operator', '--tenant', id, '--json'];
        const clients = (await ostiary(['client', 'list', ...inside], asOperator())).json as { id: string }[];
        expect(clients).toHaveLength(3);
        expect((await ostiary(['user', 'find', 'ada', ...inside], asOperator())).json).toHaveLength(1);
      }),
    );
  });

  test('The secret is written to a file that only the user can read, and never over an existing file.', async () => {
    const folder = newHome();
    const id = newTenant();
    const taken = join(folder, 'taken');
    writeFileSync(taken, 'mine');
    expect(await ostiary(['tenant', 'create', id, '--secret-file', taken], asOperator())).toMatchObject({
      code: 2,
    });
    expect(readFileSync(taken, 'utf8')).toBe('mine');
    // The tenant was not created.
    expect(await ostiary(['tenant', 'show', id], asOperator())).toMatchObject({ code: 4 });
    const path = join(folder, 'secret');
    const created = await ostiary(['tenant', 'create', id, '--secret-file', path, '--json'], asOperator());
    expect(created.json.client).toMatchObject({ secret: null, secretFile: path });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const env = {
      ...asOperator(),
      OSTIARY_SERVER: demo.origin,
      OSTIARY_TENANT: id,
      OSTIARY_CLIENT_ID: created.json.client.id,
    };
    const whoami = await ostiary(['whoami', '--json'], { ...env, OSTIARY_CLIENT_SECRET_FILE: path });
    expect(whoami.json).toMatchObject({ kind: 'client', tenant: id });
    // The repeated command creates no secret and leaves the file unchanged.
    const secret = readFileSync(path, 'utf8');
    const again = await ostiary(['tenant', 'create', id, '--secret-file', path, '--json'], asOperator());
    expect([again.code, again.json.client.secretFile, readFileSync(path, 'utf8')]).toEqual([0, null, secret]);
    const unused = join(folder, 'unused');
    await ostiary(['tenant', 'create', id, '--secret-file', unused], asOperator());
    expect(existsSync(unused)).toBe(false);
  });

  test('An empty file that a killed command reserved is used, and no other empty file.', async () => {
    const folder = newHome();
    const id = newTenant();
    const [left, readable, elsewhere] = ['left', 'readable', 'elsewhere'].map((name) => join(folder, name));
    writeFileSync(left ?? '', '', { mode: 0o600 });
    writeFileSync(readable ?? '', '', { mode: 0o644 });
    symlinkSync(left ?? '', elsewhere ?? '');
    for (const file of [readable, elsewhere]) {
      const refused = await ostiary(['tenant', 'create', id, '--secret-file', file ?? ''], asOperator());
      expect(refused).toMatchObject({ code: 2, stdout: '' });
    }
    const taken = await ostiary(
      ['tenant', 'create', id, '--secret-file', left ?? '', '--json'],
      asOperator(),
    );
    expect([taken.code, taken.json.client.secretFile]).toEqual([0, left]);
    expect(readFileSync(left ?? '', 'utf8')).toMatch(/^ocs_\S+\n$/);
  });

  test("In a container without a shell, the operator's secret is read from stdin.", async () => {
    const id = newTenant();
    const child = start(['--secret-stdin', 'tenant', 'create', id, '--json'], {
      OSTIARY_OPERATOR_URL: demo.operator,
    });
    child.stdin?.write(`${operatorSecret()}\n`);
    expect((await ended(child)).json).toMatchObject({ tenant: { id } });
    const empty = await ostiary(['--secret-stdin', 'tenant', 'list'], {
      OSTIARY_OPERATOR_URL: demo.operator,
    });
    expect(empty).toMatchObject({ code: 2, stderr: expect.stringContaining('stdin') });
  });

  test('An invalid tenant id is rejected with the reason before any change.', async () => {
    for (const id of ['Acme', '-a', 'a b', '../x', 'platform', '']) {
      const { code, stdout } = await ostiary(['tenant', 'create', '--', id], asOperator());
      expect({ id, code, stdout }).toEqual({ id, code: 2, stdout: '' });
    }
  });

  test('Callers other than the operator cannot create, list or suspend tenants.', async () => {
    const id = newTenant();
    const url = { OSTIARY_OPERATOR_URL: demo.operator };
    const attempts = [
      { env: { ...url, OPERATOR_CLIENT_SECRET: 'guessed' }, code: 3 },
      { env: { ...asClient(demo.tenants.rival), ...url }, code: 3 },
      { env: asClient(demo.tenants.rival), code: 3 },
      // The public port rejects operator requests, even with the operator's secret.
      { env: { ...asOperator(), OSTIARY_OPERATOR_URL: demo.origin }, code: 2 },
    ];
    for (const { env, code } of attempts) {
      for (const command of [['create', id], ['list'], ['suspend', 'demo', '--yes']]) {
        expect(await ostiary(['tenant', ...command], env)).toMatchObject({ code, stdout: '' });
      }
    }
    const { json } = await ostiary(['tenant', 'show', '--json'], asDemo());
    expect(json).toMatchObject({ id: 'demo', status: 'ACTIVE' });
  });

  test('A tenant is suspended and resumed by the operator.', async () => {
    const id = newTenant();
    await ostiary(['tenant', 'create', id], asOperator());
    expect(await ostiary(['tenant', 'suspend', id, '--yes'], asOperator())).toMatchObject({ code: 0 });
    expect((await ostiary(['tenant', 'show', id, '--json'], asOperator())).json.status).toBe('SUSPENDED');
    expect(await ostiary(['tenant', 'create', id], asOperator())).toMatchObject({
      code: 5,
      stderr: expect.stringContaining(`ostiary tenant resume ${id}`),
    });
    expect(await ostiary(['tenant', 'resume', id], asOperator())).toMatchObject({ code: 0 });
  });
});
