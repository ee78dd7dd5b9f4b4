import { createConnection, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { unique } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient, userSchema } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';

let own: OwnSystem;
let scim: ScimClient;
let redis: Socket;
let monitored = '';

beforeAll(async () => {
  own = await ownSystem({ fresh: true, env: { LOG_LEVEL: 'debug' } });
  scim = new ScimClient(own.demo.tenants.demo, own.demo.tenants.demo.clients.scim.token);
  const { hostname, port, password } = new URL(own.system.redisUrl);
  redis = createConnection(Number(port), hostname);
  redis.on('data', (chunk) => (monitored += chunk.toString('latin1')));
  redis.write(`${password ? `AUTH ${password}\r\n` : ''}MONITOR\r\n`);
  await eventually(
    async () => monitored,
    (text) => text.includes('+OK'),
  );
});

afterAll(async () => {
  redis?.destroy();
  await own?.stop();
});

/** Every row of every table that has the text in it, also as the bytes of a bytea. */
async function tablesWith(text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: own.system.databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
       WHERE table_type = 'BASE TABLE' AND table_schema IN ('auth', 'directory', 'provisioning')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await client.query(
        `SELECT 1 FROM ${name} t WHERE position($1 in t::text) > 0 OR position($2 in t::text) > 0 LIMIT 1`,
        [text, Buffer.from(text).toString('hex')],
      );
      if (rowCount) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

describe('a password that comes over SCIM', () => {
  const userName = unique('secretive');
  const user = (password: string) => ({ schemas: [userSchema], userName, password });
  const patch = (password: string) => ({
    schemas: [patchOp],
    Operations: [{ op: 'replace', value: { password, displayName: 'S' } }],
  });
  let path: string;

  test.each([
    ['POST', (password: string) => scim.call('POST', '/Users', user(password))],
    ['PUT', (password: string) => scim.call('PUT', path, user(password))],
    ['PATCH', (password: string) => scim.call('PATCH', path, patch(password))],
    [
      'Bulk',
      (password: string) =>
        scim.call('POST', '/Bulk', {
          schemas: [bulkRequest],
          Operations: [{ method: 'PATCH', path, data: patch(password) }],
        }),
    ],
    ['a POST that is refused', (password: string) => scim.call('POST', '/Users', user(password))],
  ])(
    'A password sent by %s is in no response, table, log or queue, and works unless it was rejected.',
    async (how, send) => {
      const password = unique('correct-horse-battery');
      const answer = await send(password);
      expect(answer.status).toBe(how.endsWith('refused') ? 409 : how === 'POST' ? 201 : 200);
      if (how === 'POST') path = `/Users/${answer.body.id}`;
      expect(JSON.stringify(answer.body)).not.toContain(password);
      if (!how.endsWith('refused')) {
        await eventually(
          () => signIn(own.demo, own.demo.tenants.demo, { userName, password }).catch(() => undefined),
          (signedIn) => signedIn !== undefined,
        );
      }
      // What was queued about it has come and gone by now, or is still in the tables.
      expect(await tablesWith(password)).toEqual([]);
      expect(await own.logs()).not.toContain(password);
      expect(monitored).not.toContain(password);
    },
  );

  test('The search for the password finds values that are stored.', async () => {
    expect(await tablesWith(userName)).toEqual(expect.arrayContaining(['directory.users', 'auth.subjects']));
    // What people are called isn't there in the clear; who they are is.
    expect(monitored).toContain(path.split('/').at(-1));
    expect(monitored).not.toContain(userName);
    expect((await own.logs()).length).toBeGreaterThan(1000);
  });
});
