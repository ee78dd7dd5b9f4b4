import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import { Browser } from '../../support/browser.ts';
import { type Demo, unique } from '../../support/demo.ts';
import { deliversHere } from '../../support/own-system.ts';
import { ScimClient } from '../../support/scim.ts';
import { authorize } from '../../support/sign-in.ts';
import { type Snapshot, sampled } from '../exposition.ts';
import type { Recording } from '../recording.ts';
import { collectUntil, hire, recordingOf, type World } from '../world.ts';

const signIns = (now: Snapshot, outcome: string): number =>
  sampled(now, 'auth_sign_ins_total', { outcome }) ?? 0;

/** Makes every sign-in of one tenant fail, while sign-ins of another tenant are more frequent than usual. */
export async function oneTenantFails(world: World): Promise<Recording> {
  const { demo } = world.own;
  const { rival, demo: other } = demo.tenants;
  const victim = { userName: unique('victim'), password: unique('correct horse battery') };
  await new ScimClient(rival, rival.clients.scim.token).createUser(victim);
  const busy = await hire(world);
  // auth must have both users before the fault.
  await enters(() => authorize(demo, rival, victim));
  await enters(() => authorize(demo, other, busy));
  return recordingOf('sign-ins fail in one tenant', {
    targets: world.targets,
    make: async () => {
      await world.sql(`CREATE FUNCTION auth.no_session() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no session'; END $$`);
      await world.sql(`CREATE TRIGGER no_session BEFORE INSERT ON auth.sessions FOR EACH ROW
        WHEN (NEW.tenant = 'rival') EXECUTE FUNCTION auth.no_session()`);
    },
    meanwhile: () =>
      Promise.all([
        authorize(demo, rival, victim).catch(() => undefined),
        ...[1, 2, 3].map(() => authorize(demo, other, busy)),
      ]),
    shows: (now, before) =>
      signIns(now, 'failed') - signIns(before, 'failed') >= 4 &&
      signIns(now, 'accepted') - signIns(before, 'accepted') >= 8 &&
      sampled(now, 'auth_sign_ins_failing_tenants') === 1,
    heal: async () => {
      await world.sql('DROP TRIGGER no_session ON auth.sessions; DROP FUNCTION auth.no_session()');
      for (let n = 0; n < 12; n += 1) await enters(() => authorize(demo, rival, victim));
    },
    healed: (now) => sampled(now, 'auth_sign_ins_failing_tenants') === 0,
  });
}

/** Retries a sign-in until it succeeds: auth receives the directory's event asynchronously. */
async function enters(attempt: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const isIn = await attempt().then(
      () => true,
      () => false,
    );
    if (isIn) return;
  }
  throw new Error('nobody is let in');
}

/** Guesses passwords while other users sign in. */
export async function guessed(world: World): Promise<Recording> {
  const { demo } = world.own;
  const { demo: tenant } = demo.tenants;
  const guess = () =>
    authorize(demo, tenant, { userName: unique('guessed'), password: 'not it' }).catch(() => undefined);
  return recordingOf('passwords are guessed', {
    targets: world.targets,
    make: async () => undefined,
    meanwhile: () => Promise.all([1, 2, 3, 4, 5, 6].map(guess)),
    shows: (now, before) => signIns(now, 'refused') - signIns(before, 'refused') > 20,
    heal: async () => undefined,
    healed: () => true,
  });
}

/**
 * Locks every table of auth: requests wait, first with a connection, then for one. Each names an unknown client, so
 * that it is read from the database and not from the cache.
 */
export async function databaseLocked(world: World): Promise<Record<'locked' | 'slow', Recording>> {
  const { system, demo } = world.own;
  const ask = () =>
    fetch(`${demo.tenants.demo.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${unique('nobody')}:secret`).toString('base64')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    }).then((response) => response.text());
  const client = new pg.Client({ connectionString: system.databaseUrl });
  await client.connect();
  const asked: Promise<unknown>[] = [];
  const lockedMs = 1_400;
  const waiting = await recordingOf('the database of auth is locked', {
    targets: world.targets,
    make: async () => {
      const { rows } = await client.query<{ tables: string }>(
        `SELECT string_agg(format('%I.%I', schemaname, tablename), ', ') AS tables FROM pg_tables
         WHERE schemaname = 'auth' AND tablename <> '_prisma_migrations'`,
      );
      await lockTables(client, rows[0]?.tables ?? '');
      for (let n = 0; n < 24; n += 1) asked.push(ask().catch(() => undefined));
      await sleep(lockedMs);
    },
    shows: (now) => (sampled(now, 'database_pool_waiting', { service: 'auth' }) ?? 0) > 0,
    heal: async () => {
      await client.query('ROLLBACK');
      await client.end();
      await Promise.all(asked);
    },
    healed: (now) => sampled(now, 'database_pool_waiting', { service: 'auth' }) === 0,
  });
  return {
    locked: waiting,
    slow: { before: waiting.before, during: waiting.after, seconds: waiting.seconds, after: waiting.after },
  };
}

/**
 * LOCK takes the tables one after the other, so a transaction of the service may hold a later one. PostgreSQL then ends
 * one of the two with a deadlock error; the lock is retried.
 */
async function lockTables(client: pg.Client, tables: string): Promise<void> {
  await eventually(async () => {
    await client.query('BEGIN');
    try {
      await client.query(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`);
      return true;
    } catch (error) {
      await client.query('ROLLBACK');
      if ((error as pg.DatabaseError).code !== '40P01') throw error;
      return false;
    }
  });
}

const root = fileURLToPath(new URL('../../../services/auth', import.meta.url));

/** Starts a process of auth that verifies one password at a time with an expensive hash, and sends many. */
export async function passwordsWait({ own }: World): Promise<Recording> {
  const { demo, system } = own;
  const [port, metricsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...system.env.auth,
      // This process also delivers messages.
      ...deliversHere,
      PORT: String(port),
      METRICS_PORT: String(metricsPort),
      OPERATOR_PORT: String(await freePort()),
      PASSWORD_HASH_CONCURRENCY: '1',
      PASSWORD_HASH_COST: 'm=65536,t=2,p=1',
    },
  });
  const targets = [{ instance: 'extra', url: `http://127.0.0.1:${metricsPort}/metrics` }];
  try {
    await collectUntil('another process of auth runs', targets, (now) => sampled(now, 'process_ready') === 1);
    const send = await signInForm(demo);
    const asked: Promise<unknown>[] = [];
    return await recordingOf('passwords wait', {
      targets,
      make: async () => {
        for (let n = 0; n < 30; n += 1)
          asked.push(send(`http://127.0.0.1:${port}`, unique('waits')).catch(() => undefined));
      },
      shows: (now) => (sampled(now, 'auth_password_hashes_waiting') ?? 0) > 20,
      heal: () => Promise.all(asked),
      healed: (now) => sampled(now, 'auth_password_hashes_waiting') === 0,
    });
  } finally {
    // SIGKILL would leave a leased delivery that no other process takes before the lease expires.
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.kill('SIGTERM')) await ended;
  }
}

/** Returns a function that submits the sign-in form to a given process. All processes share the state. */
async function signInForm(demo: Demo): Promise<(origin: string, username: string) => Promise<unknown>> {
  const { issuer, clients } = demo.tenants.demo;
  const browser = new Browser(demo.origin);
  const page = await browser.open(
    `${issuer}/authorize?${new URLSearchParams({
      client_id: clients.web.client_id,
      response_type: 'code',
      scope: 'openid',
      redirect_uri: 'http://127.0.0.1:53123/callback',
      code_challenge: randomBytes(32).toString('base64url'),
      code_challenge_method: 'S256',
    })}`,
  );
  const inputs = page.root
    .querySelectorAll('form input')
    .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? '']);
  const cookie = await browser.cookies.getCookieString(page.url.href);
  return (origin, username) =>
    fetch(`${origin}/t/demo/login`, {
      method: 'POST',
      headers: { cookie, origin: demo.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        ...Object.fromEntries(inputs.filter(([name]) => name !== '')),
        username,
        password: 'not it',
      }).toString(),
      redirect: 'manual',
    }).then((response) => response.text());
}
