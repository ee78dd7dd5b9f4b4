import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually, recordSkip } from '@ostiary/service/testing';
import pg from 'pg';
import { requireSupportedDatabase } from '../src/connection/supported.ts';
import { type StockPostgres, stockPostgres, withoutStockPostgres } from './support/stock-postgres.ts';

const pgbouncer = '/usr/sbin/pgbouncer';
const missing = withoutStockPostgres() ?? (existsSync(pgbouncer) ? undefined : 'pgbouncer is not installed');
if (missing !== undefined) recordSkip(missing);
const described = missing === undefined ? describe : describe.skip;

described(`The server at DATABASE_URL${missing === undefined ? '' : ` (skipped: ${missing})`}`, () => {
  let server: StockPostgres;
  let folder: string;
  const running: { end(): Promise<void> }[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ostiary-supported-'));
    execFileSync('chmod', ['755', folder]);
    server = await stockPostgres();
  });
  afterAll(async () => {
    for (const one of running) await one.end();
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  async function pooler(mode: string, settings: readonly string[] = []): Promise<string> {
    const listener = createServer().listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as { port: number };
    listener.close();
    const { port: to } = new URL(server.url);
    const file = join(folder, `${mode}-${port}.ini`);
    const lines = [
      '[databases]',
      `postgres = host=127.0.0.1 port=${to} user=postgres`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\npool_mode = ${mode}`,
      ...settings,
    ];
    writeFileSync(file, `${lines.join('\n')}\n`);
    const child = spawn(pgbouncer, [...(process.getuid?.() === 0 ? ['-u', 'postgres'] : []), file], {
      stdio: 'ignore',
    });
    running.push({
      end: async () => {
        if (child.exitCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      },
    });
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
    await eventually(() => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      return client
        .connect()
        .then(() => client.end())
        .then(
          () => true,
          () => false,
        );
    });
    return url;
  }

  test('A server, a pooler in session mode, and an unavailable server are accepted.', async () => {
    await requireSupportedDatabase(server.url);
    await requireSupportedDatabase(await pooler('session'));
    await requireSupportedDatabase('postgres://nobody@127.0.0.1:1/postgres');
  });

  test.each([
    ['in transaction mode', 'transaction', []],
    ['in transaction mode, with one connection', 'transaction', ['default_pool_size = 1']],
    ['in transaction mode, in turn', 'transaction', ['server_round_robin = 1', 'min_pool_size = 5']],
    ['in statement mode', 'statement', []],
  ])('PgBouncer %s is rejected with instructions.', async (_, mode, settings) => {
    const url = await pooler(mode, settings);
    await expect(requireSupportedDatabase(url)).rejects.toThrow(
      /^DATABASE_URL points to a pooler .* set pool_mode = session\.$/,
    );
  });

  test('PgBouncer in transaction mode is rejected while others use it.', async () => {
    const url = await pooler('transaction', ['default_pool_size = 6']);
    let over = false;
    const others = Array.from({ length: 6 }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      while (!over) await client.query('SELECT pg_sleep(0.003)');
      await client.end();
    });
    try {
      await sleep(200);
      await expect(requireSupportedDatabase(url)).rejects.toThrow(/pooler/);
    } finally {
      over = true;
      await Promise.all(others);
    }
  });

  describe('over TLS', () => {
    const pem = (name: string) => join(folder, name);
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    const at = (query: string, host = '127.0.0.1') =>
      `postgres://postgres@${host}:${new URL(server.url).port}/postgres?${query}`;

    test('A server without TLS is rejected where TLS is required.', async () => {
      await expect(requireSupportedDatabase(at('sslmode=verify-full'))).rejects.toThrow(
        /^DATABASE_URL requires TLS/,
      );
    });

    test('The right authority and host name are accepted; others are rejected with instructions.', async () => {
      for (const ca of ['ca', 'other']) {
        openssl(
          ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', `/CN=${ca}`],
          ...['-keyout', `${ca}.key`, '-out', `${ca}.pem`],
        );
      }
      openssl(
        ...['req', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=server'],
        ...['-keyout', 'server.key', '-out', 'server.csr'],
      );
      writeFileSync(pem('ext'), 'subjectAltName=DNS:localhost\n');
      openssl(
        ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
        ...['-days', '2', '-extfile', 'ext', '-out', 'server.pem'],
      );
      for (const name of ['server.key', 'server.pem']) {
        copyFileSync(pem(name), join(server.data, name));
        execFileSync('chown', [`--reference=${join(server.data, 'PG_VERSION')}`, join(server.data, name)]);
        execFileSync('chmod', ['600', join(server.data, name)]);
      }
      for (const setting of ["ssl_cert_file = 'server.pem'", "ssl_key_file = 'server.key'", 'ssl = on']) {
        await server.query(`ALTER SYSTEM SET ${setting}`);
      }
      await server.query('SELECT pg_reload_conf()');
      const right = at(`sslmode=verify-full&sslrootcert=${pem('ca.pem')}`, 'localhost');
      for (let tries = 0; tries < 100; tries += 1) {
        const done = await requireSupportedDatabase(right).then(
          () => true,
          () => false,
        );
        if (done) break;
        await sleep(50);
      }
      const client = new pg.Client({ connectionString: right });
      await client.connect();
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      await client.end();
      expect(rows).toEqual([{ ssl: true }]);
      await requireSupportedDatabase(right);

      const wrong = (query: string, host?: string) => requireSupportedDatabase(at(query, host));
      await expect(wrong(`sslmode=verify-full&sslrootcert=${pem('other.pem')}`, 'localhost')).rejects.toThrow(
        /not signed by a trusted authority: .*sslrootcert/,
      );
      await expect(wrong('sslmode=verify-full', 'localhost')).rejects.toThrow(
        /not signed by a trusted authority/,
      );
      await expect(wrong(`sslmode=verify-full&sslrootcert=${pem('ca.pem')}`)).rejects.toThrow(
        /certificate is for another host/,
      );
      await expect(wrong(`sslmode=verify-full&sslrootcert=${pem('none.pem')}`)).rejects.toThrow(
        /certificate or key file that cannot be read/,
      );
    });
  });
});
