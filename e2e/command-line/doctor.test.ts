import { chmodSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readiness } from '../../cli/src/diagnosis/readiness.ts';
import { runningDemo } from '../support/demo.ts';
import { asClient, asDemo, asOperator, newHome, ostiary } from './command-line.ts';

const demo = runningDemo();
const root = fileURLToPath(new URL('../..', import.meta.url));

interface Finding {
  check: string;
  state: 'well' | 'wrong' | 'skipped';
  found: string;
  remedy: string | null;
}

interface Prepared {
  status?: number;
  date?: Date;
  body: unknown;
}

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

/** Starts a server that returns prepared responses. */
async function answering(
  prepared: Prepared | ((request: IncomingMessage) => Prepared),
  port = 0,
): Promise<string> {
  const server = createServer((request, response) => {
    const { status = 200, date, body } = typeof prepared === 'function' ? prepared(request) : prepared;
    if (date) response.setHeader('date', date.toUTCString());
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  servers.push(server);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const ready = { status: 'ready', draining: false, dependencies: {} };

interface Said {
  code: number | null;
  of(check: string): Finding | undefined;
}

async function doctor(
  args: readonly string[],
  env: Record<string, string | undefined> = { HOME: newHome() },
): Promise<Said> {
  const { code, json } = await ostiary(['doctor', ...args, '--json'], env);
  const findings = json as Finding[];
  // Every finding has a remedy, and no remedy repeats the same command.
  for (const { state, remedy } of findings) {
    if (state !== 'wrong') continue;
    expect(remedy).toMatch(/\S{3}/);
    expect(remedy).not.toMatch(/ostiary doctor(?! --process)/);
  }
  return { code, of: (check) => findings.find((finding) => finding.check === check) };
}

describe('ostiary doctor', () => {
  test('A running system and the settings of the commands have no findings.', async () => {
    const { code, json } = await ostiary(['doctor', '--tenant', 'demo', '--json'], asDemo());
    const findings = json as Finding[];
    expect([code, findings.filter(({ state }) => state !== 'well')]).toEqual([0, []]);
    expect(findings.map(({ check }) => check)).toEqual(
      expect.arrayContaining(['versions', 'server', 'clock', 'TLS', 'issuer', 'credentials', 'operator']),
    );
  });

  test.each([-120, 120])(
    'A clock that differs by %i s is reported for the server and for a process.',
    async (seconds) => {
      const date = new Date(Date.now() + seconds * 1000);
      const [right, off] = [await answering({ body: ready }), await answering({ date, body: ready })];
      const server = await doctor(['--server', off]);
      expect([server.code, server.of('clock')]).toMatchObject([
        7,
        { state: 'wrong', remedy: expect.stringContaining('NTP') },
      ]);
      const { code, of } = await doctor(['--server', right, '--process', off]);
      expect([code, of('clock')?.state, of(`${off}: clock`)?.state]).toEqual([7, 'well', 'wrong']);
    },
  );

  test('An engine that is unavailable is named with a remedy.', async () => {
    const dependencies = {
      redis: { status: 'down', required: true },
      database: { status: 'up', required: true },
    };
    const { code, of } = await doctor([
      '--server',
      await answering({ status: 503, body: { status: 'unavailable', dependencies } }),
    ]);
    expect([code, of('server: redis')]).toMatchObject([
      7,
      { state: 'wrong', remedy: expect.stringContaining('REDIS_URL') },
    ]);
  });

  test('An unreachable server and one that is not Ostiary are reported.', async () => {
    expect((await doctor(['--server', 'http://127.0.0.1:9'])).of('server')).toMatchObject({ state: 'wrong' });
    const { of } = await doctor(['--server', await answering({ body: '<html>' }), '--tenant', 'acme']);
    expect([of('server')?.state, of('issuer')?.state]).toEqual(['wrong', 'wrong']);
  });

  test('A process of another release is found by its metrics, and a process without metrics is skipped.', async () => {
    const own = (await ostiary(['--version'], {})).stdout.trim();
    const telling = async (version: string): Promise<string> => {
      const body = `build_info{version="${version}",node="24.0.0",service="auth"} 1\n`;
      for (;;) {
        const origin = await answering({ body: ready });
        const metrics = answering({ body }, Number(new URL(origin).port) + 100);
        const isTaken = await metrics.then(
          () => false,
          () => true,
        );
        if (!isTaken) return origin;
      }
    };
    const [same, former, silent] = [
      await telling(own),
      await telling('0.1.0'),
      await answering({ body: ready }),
    ];
    const { code, of } = await doctor([
      ...['--server', silent],
      ...[same, former, silent].flatMap((process) => ['--process', process]),
    ]);
    expect(code).toBe(7);
    expect([same, former, silent].map((process) => of(`${process}: version`)?.state)).toEqual([
      'well',
      'wrong',
      'skipped',
    ]);
  });
});

describe('findings of ostiary doctor about settings', () => {
  const broken: { what: string; env: () => Record<string, string | undefined>; args?: string[] }[] = [
    {
      what: 'a secret that is not the client’s',
      env: () => ({ ...asClient(demo.tenants.demo), OSTIARY_CLIENT_SECRET: 'guessed' }),
    },
    {
      what: 'a client of another tenant',
      env: () => ({ ...asClient(demo.tenants.rival), OSTIARY_TENANT: 'demo' }),
    },
    { what: 'a client without a secret', env: () => ({ OSTIARY_CLIENT_ID: 'x', OSTIARY_TENANT: 'demo' }) },
    {
      what: 'a file of a secret that is not there',
      env: () => ({
        ...asClient(demo.tenants.demo),
        OSTIARY_CLIENT_SECRET: '',
        OSTIARY_CLIENT_SECRET_FILE: '/nowhere',
      }),
    },
    { what: 'a profile that is not there', env: () => ({}), args: ['--profile', 'nobody'] },
    { what: 'a profile that others may read', env: () => ({ XDG_CONFIG_HOME: profile('{}', 0o644) }) },
    { what: 'a profile that is damaged', env: () => ({ XDG_CONFIG_HOME: profile('{', 0o600) }) },
  ];

  const profile = (text: string, mode: number): string => {
    const home = newHome();
    const folder = join(home, 'ostiary', 'profiles');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'default.json'), text);
    chmodSync(join(folder, 'default.json'), mode);
    return home;
  };

  test.each(broken)(
    'With $what the credentials are wrong while the server is well.',
    async ({ env, args = [] }) => {
      const { code, of } = await doctor(['--server', demo.origin, ...args], env());
      expect([code, of('server')?.state, of('credentials')?.state]).toEqual([7, 'well', 'wrong']);
    },
  );

  test('A missing sign-in is not a finding, and a damaged profile that would state the server ends the command.', async () => {
    const { code, of } = await doctor(['--server', demo.origin], { HOME: newHome() });
    expect([code, of('credentials')?.state, of('operator')]).toEqual([0, 'skipped', undefined]);
    const damaged = await ostiary(['doctor'], { XDG_CONFIG_HOME: profile('{', 0o600) });
    expect(damaged).toMatchObject({ code: 2, stderr: expect.stringContaining('is damaged') });
  });

  test('A rejected operator secret and the port of another installation are reported.', async () => {
    const elsewhere = await answering(({ headers }) => ({
      body: { issuer: `http://${headers.host}/t/platform` },
    }));
    for (const env of [
      { ...asOperator(), OPERATOR_CLIENT_SECRET: 'guessed' },
      { ...asOperator(), OSTIARY_OPERATOR_URL: elsewhere },
      { ...asOperator(), OSTIARY_OPERATOR_URL: demo.origin },
      { ...asOperator(), OSTIARY_OPERATOR_URL: '' },
      { ...asOperator(), OSTIARY_OPERATOR_URL: 'http://127.0.0.1:9' },
    ]) {
      const { code, of } = await doctor(['--server', demo.origin], env);
      expect([code, of('operator')?.state]).toEqual([7, 'wrong']);
    }
    const { code, of } = await doctor(['--server', demo.origin], asOperator());
    expect([code, of('operator')?.state]).toEqual([0, 'well']);
  });
});

describe('remedies of ostiary doctor', () => {
  const remedy = (name: string, reason: string): string => {
    const body = { status: 'unavailable', dependencies: { [name]: { status: 'down', reason } } };
    const [finding] = readiness('server', {
      ...{ status: 503, headers: new Headers(), text: JSON.stringify(body), bytes: Buffer.from('') },
    });
    return finding?.remedy ?? '';
  };
  /** Reasons that only processes report, never engines. */
  const ofProcesses = ['not_ready', 'not_loaded', 'stale', 'catching_up'];
  let ofEngines: string[] = [];
  beforeAll(async () => {
    const refused = await fetch(`${demo.origin}/readyz?tolerate=nothing`);
    const { message } = (await refused.json()) as { message: string };
    const [, all = ''] = /reasons out of (.+)\.$/.exec(message) ?? [];
    ofEngines = all.split(', ').filter((reason) => !ofProcesses.includes(reason));
  });

  test.each(['postgresql', 'redis'])('Each reason for which %s can be down has its own remedy.', (engine) => {
    expect(ofEngines).toEqual(expect.arrayContaining(['unreachable', 'disk_full', 'schema_outdated']));
    const common = remedy(engine, 'unreachable');
    expect(
      ofEngines.filter((reason) => reason !== 'unreachable' && remedy(engine, reason) === common),
    ).toEqual([]);
  });

  test('Each dependency that a process reports has its own remedy.', () => {
    const files = globSync('{libs/*,services/*,gateway}/src/**/*.ts', { cwd: root });
    const names = files.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/health\.check\(\s*'([^']+)'/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(names).toEqual(expect.arrayContaining(['postgresql', 'redis', 'revocations', 'supergraph']));
    const general = names.filter((name) => remedy(name, 'not_loaded').includes(`Check that ${name} runs.`));
    expect(new Set(general)).toEqual(new Set(['auth', 'directory']));
    expect(remedy('provisioning', 'not_ready')).toContain('Check that provisioning runs.');
  });
});
