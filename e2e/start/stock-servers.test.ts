import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '@ostiary/embedded';
import { eventually, recordSkip } from '@ostiary/service/testing';
import pg from 'pg';
import { codeBlocksOf } from './code-blocks.ts';
import { missingServers, StockServers } from './stock-servers.ts';

const run = promisify(execFile);
const services = ['auth', 'directory', 'provisioning'] as const;
const root = fileURLToPath(new URL('../..', import.meta.url));
if (missingServers.length > 0) recordSkip(`without ${missingServers.join(' and ')}`);
const describeOnStockServers = missingServers.length === 0 ? describe : describe.skip;

const migrating = 'guides/migrate-the-databases.md';

/** Returns the lines of the guide that set the passwords of the services' roles. */
const passwords = (): string =>
  commandOf(migrating, 'export DATABASE_PASSWORD_AUTH').replace(/^(?!export DATABASE_PASSWORD).*\n/gm, '');

/** Returns the only code block of a page that contains `part`. */
function commandOf(page: string, part: string): string {
  const found = codeBlocksOf(page).filter(({ text }) => text.includes(part));
  expect([page, part, found.length]).toEqual([page, part, 1]);
  return found[0]?.text ?? '';
}

describeOnStockServers('the guides on servers of Debian', () => {
  let servers: StockServers;
  const at = (name: string): string => join(servers.home, name);
  const ports = { one: 0, two: 0, restored: 0 };
  const address = (port: number, database = 'ostiary'): string =>
    `postgres://postgres@127.0.0.1:${port}/${database}`;

  /** Environment of the client programs for a server. */
  const on = (name: keyof typeof ports): Record<string, string> => ({
    PGHOST: '127.0.0.1',
    PGPORT: `${ports[name]}`,
    PGDATA: at(name),
  });

  /** Replaces folders and hosts of a guide's command with those of the test. */
  const here = (text: string): string =>
    text
      .replaceAll(/(?<=[ =']|cp )\/(archive|backup)\b/g, (_path, name: string) => at(name))
      .replaceAll('--host=one', `--host=127.0.0.1 --port=${ports.restored}`)
      .replaceAll('-h two', `-h 127.0.0.1 -p ${ports.two}`)
      .replaceAll('host=two', `host=127.0.0.1 port=${ports.two}`);

  /** Runs the commands of a guide in a checkout, with passwords in place of the placeholders. */
  async function inCheckout(text: string): Promise<{ code: number; output: string }> {
    const script = text
      .replaceAll(/@db(-\d)?:5432/g, `@127.0.0.1:${ports.one}`)
      .replaceAll('…', 'choose one');
    const env = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
    return run('bash', ['-euo', 'pipefail', '-c', script.replaceAll('choose one', 'a-password')], {
      cwd: root,
      env,
    }).then(
      ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
      (error: { code: number; stdout: string; stderr: string }) => ({
        code: error.code,
        output: error.stdout + error.stderr,
      }),
    );
  }

  async function asked<R extends object>(url: string, statement: string): Promise<R[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(statement)).rows as R[];
    } finally {
      await client.end();
    }
  }
  const names = async (port: number): Promise<string[]> =>
    (await asked<{ name: string }>(address(port), 'SELECT name FROM kept ORDER BY name')).map(
      ({ name }) => name,
    );

  beforeAll(async () => {
    servers = new StockServers('stock');
    for (const name of Object.keys(ports) as (keyof typeof ports)[]) ports[name] = await freePort();
    await servers.shell('mkdir archive backup');
    await servers.cluster(at('one'), ports.one);
  });

  afterAll(() => servers?.stop());

  test('A database for each service is migrated from nothing, and each service can access only its own rows.', async () => {
    const statements = commandOf(migrating, 'CREATE ROLE ostiary_owner').replaceAll(
      'choose one',
      'a-password',
    );
    const admin = address(ports.one, 'postgres');
    for (const statement of statements.trim().split('\n')) await asked(admin, statement);
    for (const service of services) await asked(admin, `CREATE DATABASE ${service} OWNER ostiary_owner`);
    const migrated = await inCheckout(
      `${passwords()}${commandOf(migrating, 'DATABASE_URL_MIGRATE_DIRECTORY')}`,
    );
    expect([migrated.code, migrated.output]).toEqual([0, expect.any(String)]);
    for (const service of services) {
      const own = `postgres://ostiary_${service}:a-password@127.0.0.1:${ports.one}/${service}`;
      expect((await asked(own, `SELECT FROM ${service}._prisma_migrations`)).length).toBeGreaterThan(0);
      await expect(asked(own, `CREATE TABLE ${service}.more (id int)`)).rejects.toThrow('permission denied');
    }
  });

  test('The passwords of the owner and of a role are replaced, by ALTER ROLE and by the next migration, and the former ones are rejected.', async () => {
    const admin = address(ports.one, 'postgres');
    const login = (role: string, password: string): string =>
      `postgres://${role}:${password}@127.0.0.1:${ports.one}/auth`;
    await asked(admin, "ALTER ROLE ostiary_owner PASSWORD 'another-one'");
    const exports = commandOf(migrating, 'DATABASE_URL_MIGRATE_DIRECTORY').replace(/^node .*$/m, '');
    const again = `${passwords()}${exports}node scripts/migrate.mjs auth`.replaceAll('…', 'another-one');
    expect((await inCheckout(again)).code).toBe(0);
    for (const role of ['ostiary_owner', 'ostiary_auth']) {
      await expect(asked(login(role, 'a-password'), 'SELECT')).rejects.toThrow(
        'password authentication failed',
      );
      await asked(login(role, 'another-one'), 'SELECT FROM auth._prisma_migrations');
    }
    await asked(admin, "ALTER ROLE ostiary_owner PASSWORD 'a-password'");
  });

  test('Statements that the owner of the schemas may not execute are printed, and after an administrator has executed them the migration succeeds.', async () => {
    const admin = address(ports.one, 'auth');
    for (const statement of ['DROP OWNED BY ostiary_auth', 'DROP ROLE ostiary_auth'])
      await asked(admin, statement);
    await asked(admin, 'ALTER ROLE ostiary_owner NOCREATEROLE');
    const exports = commandOf(migrating, 'DATABASE_URL_MIGRATE_DIRECTORY').replace(/^node .*$/m, '');
    const again = `${exports}node scripts/migrate.mjs auth`;
    const refused = await inCheckout(again);
    const needed = refused.output.match(/^ *(?:CREATE ROLE|GRANT|ALTER) .*;$/gm) ?? [];
    expect([refused.code, needed.join('\n')]).toEqual([1, expect.stringContaining('CREATE ROLE')]);
    for (const statement of needed) await asked(admin, statement);
    expect((await inCheckout(again)).code).toBe(0);
    await asked(admin, 'SET ROLE ostiary_auth; SELECT FROM auth._prisma_migrations');
  });

  test('The session that blocks a migration is found, and the index is built after its transaction is ended.', async () => {
    const url = address(ports.one);
    await asked(url, 'CREATE TABLE kept (name text PRIMARY KEY)');
    const holder = new pg.Client({ connectionString: `${url}?application_name=holder` });
    holder.on('error', () => undefined);
    await holder.connect();
    await holder.query("BEGIN; INSERT INTO kept VALUES ('never committed')");
    const building = asked(url, 'CREATE INDEX CONCURRENTLY kept_by_name ON kept (name)');
    const [holding = '', progress = ''] = commandOf('guides/runbook.md', 'pg_stat_progress_create_index')
      .split(';')
      .map((statement) => statement.trim());
    await eventually(
      () => asked<{ phase: string }>(url, progress),
      (rows) => rows.some(({ phase }) => /waiting/.test(phase)),
    );
    const [first] = await asked<{ pid: number; application_name: string }>(url, holding);
    expect(first?.application_name).toBe('holder');
    await asked(url, `SELECT pg_terminate_backend(${first?.pid})`);
    await building;
    expect(await names(ports.one)).toEqual([]);
  });

  test('A database is restored to a point in time from the base backup and the archive, and takes writes.', async () => {
    for (const part of ['archive_mode', '--pgdata=/backup'])
      await servers.shell(here(commandOf('guides/back-up-and-restore.md', part)), on('one'));
    const url = address(ports.one);
    await asked(url, "INSERT INTO kept VALUES ('after the backup')");
    const [now] = await asked<{ now: string }>(url, 'SELECT clock_timestamp()::text AS now');
    await asked(url, 'DELETE FROM kept');
    await asked(url, 'SELECT pg_switch_wal()');
    await eventually(
      () => asked<{ last: string | null }>(url, 'SELECT last_archived_wal AS last FROM pg_stat_archiver'),
      ([archiver]) => archiver?.last != null && !archiver.last.endsWith('.backup'),
    );
    const restore = here(commandOf('guides/runbook.md', 'recovery_target_time'));
    const earlier = restore.replace('2026-11-23 09:00:00+00', now?.now ?? '');
    expect(earlier).not.toBe(restore);
    await servers.shell(earlier, on('restored'));
    expect(await names(ports.restored)).toEqual(['after the backup']);
    await asked(address(ports.restored), "INSERT INTO kept VALUES ('on the new timeline')");
    expect(await names(ports.one)).toEqual([]);
    await servers.shell('pg_ctl stop', on('one'));
  });

  test('A standby is created and promoted when its primary is lost, and the former primary then follows it.', async () => {
    await servers.shell(here(commandOf('guides/back-up-and-restore.md', '--write-recovery-conf')), on('two'));
    await asked(address(ports.restored), "DELETE FROM kept; INSERT INTO kept VALUES ('on both')");
    await eventually(
      () => names(ports.two),
      (kept) => kept.join() === 'on both',
    );
    await servers.shell('pg_ctl -m immediate stop', on('restored'));
    expect(await servers.shell(here(commandOf('guides/runbook.md', 'pg_promote')), on('two'))).toBe('t\n');
    await asked(address(ports.two), "INSERT INTO kept VALUES ('on the new primary')");
    // Writes of the former primary after the promotion must be discarded.
    await servers.shell('pg_ctl -l "$PGDATA/again.log" start', on('restored'));
    await asked(address(ports.restored), "INSERT INTO kept VALUES ('on the former one alone')");
    await servers.shell('pg_ctl -m immediate stop', on('restored'));
    await servers.shell(here(commandOf('guides/runbook.md', 'pg_rewind')), on('restored'));
    await eventually(
      () => names(ports.restored).catch(() => []),
      (kept) => kept.join() === 'on both,on the new primary',
    );
    await expect(asked(address(ports.restored), 'DELETE FROM kept')).rejects.toThrow('read-only');
    const followers = await asked(
      address(ports.two),
      "SELECT FROM pg_stat_replication WHERE state = 'streaming'",
    );
    expect(followers.length).toBe(1);
  });

  test('In the remaining region, the list of offboarded users is applied at the promoted standby, whose schemas need no change.', async () => {
    const line = commandOf('guides/back-up-and-restore.md', 'reapply-departures -- --from').trim();
    // Everything is built already; npm would check that again.
    const command = line.replace('npm run reapply-departures --', 'node scripts/reapply-departures.ts');
    expect(command).not.toBe(line);
    const list = at('departures.jsonl');
    const left = {
      tenant: 'gone',
      id: randomUUID(),
      version: 2,
      active: false,
      deleted: false,
      departedVersion: 2,
    };
    const reapply = async (people: readonly object[]) => {
      writeFileSync(list, people.map((person) => `${JSON.stringify(person)}\n`).join(''));
      return inCheckout(`${databases}\n${command.replace('departures.jsonl', list)}`);
    };
    const databases = services
      .map((service) => `export DATABASE_URL_${service.toUpperCase()}=${address(ports.two, service)}`)
      .join('\n');
    expect(await reapply([])).toEqual({ code: 0, output: expect.stringContaining('0 users verified') });
    expect(await reapply([left])).toEqual({ code: 0, output: expect.stringContaining('1 users verified') });
    expect(await reapply([{}])).toEqual({
      code: 2,
      output: expect.stringContaining('is not a line of the output'),
    });
    const again = commandOf(migrating, 'DATABASE_URL_MIGRATE_DIRECTORY').replaceAll(
      /@db(-\d)?:5432/g,
      `@127.0.0.1:${ports.two}`,
    );
    const applied = await inCheckout(again);
    expect([applied.code, applied.output]).toEqual([0, expect.any(String)]);
  });

  test('The largest objects of a full disk are listed: slots, the archive, and tables by size.', async () => {
    await asked(
      address(ports.two),
      "INSERT INTO kept SELECT 'one of many ' || n FROM generate_series(1, 50000) n",
    );
    await asked(address(ports.two), "SELECT pg_create_physical_replication_slot('away', true)");
    const listed = await servers.shell(commandOf('guides/runbook.md', 'pg_replication_slots'), on('two'));
    expect(listed).toMatch(/away .*\| f/);
    expect(listed).toContain('last_failed_wal');
    expect(listed).toMatch(/pg_size_pretty *\n[-+]+\n kept /);
    await asked(address(ports.two), "SELECT pg_drop_replication_slot('away')");
  });

  test('An empty Redis gets the users of the processes, which log in with their existing passwords.', async () => {
    const port = await servers.redis();
    const folder = at('checkout');
    mkdirSync(folder);
    try {
      const of = ['--database', address(ports.two), '--redis', `redis://127.0.0.1:${port}`];
      const { stdout } = await run(process.execPath, [join(root, 'scripts/make-secrets.mjs'), ...of]);
      writeFileSync(join(folder, 'secrets.env'), stdout);
      const script = commandOf('guides/runbook.md', 'redis-users.ts').replace(
        'secrets.env',
        join(folder, 'secrets.env'),
      );
      await run('bash', ['-euo', 'pipefail', '-c', script], {
        cwd: root,
        env: {
          PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
          REDIS_ADMIN: `redis://127.0.0.1:${port}`,
        },
      });
      for (const [, url = ''] of readFileSync(join(folder, 'secrets.env'), 'utf8').matchAll(
        /^REDIS_URL_\w+=(.*)$/gm,
      )) {
        const { stdout: who } = await run('redis-cli', [
          '-u',
          url,
          '--no-auth-warning',
          'acl',
          'whoami',
        ]).catch((error: { stdout: string }) => error);
        // A rejected command names the missing right.
        expect(who).toMatch(/ostiary_|NOPERM/);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
