import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort, type PostgresServerHandle, startPostgres } from '@ostiary/embedded';
import { eventually, recordSkip } from '@ostiary/service/testing';
import { audit } from '../invariants/audit.ts';
import { Doors } from '../support/doors.ts';
import { ScimClient } from '../support/scim.ts';
import { endOwn, preparedBy, type StartedSystem, startOwn } from '../support/systems/start-own.ts';

const pgbouncer = '/usr/sbin/pgbouncer';
if (!existsSync(pgbouncer)) recordSkip('pgbouncer is missing (apt: pgbouncer)');
/** Pool size from docs/architecture.md for three processes that share a role. */
const poolSize = 3 * (10 + 3);
const describeWithPooler = existsSync(pgbouncer) ? describe : describe.skip;
const directoryProgram = join(import.meta.dirname, '..', '..', 'services', 'directory', 'dist', 'main.js');

describeWithPooler('PostgreSQL behind PgBouncer', () => {
  let folder: string;
  let server: PostgresServerHandle;
  let own: StartedSystem;
  let poolerUrl: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ostiary-pooler-'));
    await chmod(folder, 0o755);
    server = await startPostgres({
      dataDirectory: join(folder, 'data'),
      port: await freePort(),
      log: () => undefined,
    });
    poolerUrl = await pooler('session', await freePort());
    const { auth } = preparedBy(process.env);
    own = await startOwn(auth === undefined ? {} : { auth }, { databaseUrl: poolerUrl });
  });
  afterAll(async () => {
    if (own) await endOwn(own);
    for (const child of children) child.kill('SIGKILL');
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a pooler with the other settings of its package. @returns DATABASE_URL */
  async function pooler(mode: 'session' | 'transaction', port: number): Promise<string> {
    const { port: to, username, password } = new URL(server.url);
    const file = join(folder, `${mode}.ini`);
    const lines = [
      `[databases]\npostgres = host=127.0.0.1 port=${to} user=${username} password=${password}`,
      `[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}\ndefault_pool_size = ${poolSize}`,
    ];
    await writeFile(file, `${lines.join('\n')}\n`);
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    children.push(spawn(pgbouncer, [...user, file], { stdio: 'ignore' }));
    return `postgres://${username}@127.0.0.1:${port}/postgres`;
  }

  test('With a session pooler, users are created, sign in and are offboarded, and the invariants hold.', async () => {
    const tenant = own.demo.tenants.demo;
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const doors = new Doors(own.demo, tenant, scim);
    const people = await Promise.all(Array.from({ length: 12 }, () => doors.employ()));
    for (const person of people) {
      const { status } = await scim.patch(`/Users/${person.id}`, [
        { op: 'replace', path: 'active', value: false },
      ]);
      expect(status).toBe(200);
    }
    for (const person of people) await doors.expectClosed(person);
    const { checks } = await audit(server.url, { settleMs: 8_000 });
    expect(checks.filter(({ flaws }) => flaws > 0)).toEqual([]);
  });

  test('A process that started before its database ends with a remedy when it connects to a transaction pooler.', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [directoryProgram], {
      env: {
        ...own.system.env.directory,
        DATABASE_URL: `postgres://nobody@127.0.0.1:${port}/postgres`,
        PORT: String(await freePort()),
        METRICS_PORT: String(await freePort()),
        SHUTDOWN_TIMEOUT_SECONDS: '2',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    children.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
    const closed = once(child, 'close');
    await eventually(
      async () => said,
      (text) => text.includes('"process.listening"'),
    );
    await pooler('transaction', port);
    const [code] = await closed;
    expect([code, said]).toEqual([
      1,
      expect.stringMatching(/^directory: DATABASE_URL points to a pooler .* set pool_mode = session\.$/m),
    ]);
  });
});
