import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createTestDatabase } from '@ostiary/database/testing';
import { keyRing, uuidv7 } from '@ostiary/service';
import { createReencryption } from '../../src/database/data/sealed-columns.ts';
import { type AuthorizationServer, startAuthorizationServer } from '../support/authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { managingConnectors, migrations, type RunningService, startService } from '../support/service.ts';

/** TOKEN_KEY is replaced while processes of two steps run concurrently, as in each rollout. */

const [former, next] = [randomBytes(32), randomBytes(32)] as const;
const steps = {
  former: keyRing(former),
  announced: keyRing(former, next),
  switched: keyRing(next, former),
  removed: keyRing(next),
};
type Step = keyof typeof steps;

let directory: RecordingDirectory;
let authorization: AuthorizationServer;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
const running: RunningService[] = [];

beforeAll(async () => {
  directory = await startRecordingDirectory();
  authorization = await startAuthorizationServer();
  database = await createTestDatabase({ schema: 'provisioning', directory: migrations });
});
afterAll(async () => {
  await stop();
  await authorization.close();
  await directory.close();
  await database.drop();
});
beforeEach(() => directory.clear());

const stop = async (): Promise<void> => {
  await Promise.all(running.splice(0).map((service) => service.close()));
};
const start = async (step: Step): Promise<RunningService> => {
  const common = { directoryUrl: directory.url, authorization, prefix: 'token-key', database: database.url };
  const service = await startService({ ...common, tokenKeys: steps[step] });
  running.push(service);
  return service;
};

const page = (next?: object) => ({
  status: 200,
  body: {
    totalResults: 3,
    itemsPerPage: 1,
    Resources: [{ id: 'u1', userName: 'u1', meta: { version: 'W/"1"' } }],
    ...(next ? { next } : {}),
  },
});
const list = async (at: RunningService, token: string, cursor: string, more = false) => {
  directory.answers.push(page(more ? { key: 'ada', id: uuidv7() } : undefined));
  return at.scim('GET', `/Users?cursor=${cursor}`, { token });
};
const create = (at: RunningService, idempotencyKey: string) =>
  at.graph(
    `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { repeated connector { id } } }`,
    {
      token: admin,
      variables: { input: { name: 'X', profile: 'RFC', idempotencyKey } },
    },
  );
let admin: string;

/** Tokens of connectors and idempotency keys of the earlier steps. */
const tokens: string[] = [];
const repeats: { idempotencyKey: string; id: string }[] = [];

async function rollout(from: Step, to: Step): Promise<void> {
  admin = authorization.token({ subject: 'admin', scopes: managingConnectors });
  const before = await start(from);
  const after = await start(to);
  for (const [here, there] of [
    [before, after],
    [after, before],
  ] as const) {
    const { token } = await here.connector({ name: 'HR' });
    const cursor = (await list(here, token, '', true)).body.nextCursor;
    expect((await list(there, token, cursor)).status).toBe(200);
    expect((await there.scim('GET', '/Users?cursor=', { token, tenant: 'rival' })).status).toBe(401);
    tokens.push(token);
    const idempotencyKey = uuidv7();
    const made = await create(here, idempotencyKey);
    repeats.push({ idempotencyKey, id: made.body.data.createConnector.connector.id });
  }
  await everythingWorks(after);
}

async function everythingWorks(at: RunningService): Promise<void> {
  for (const token of tokens) expect((await list(at, token, '')).status).toBe(200);
  for (const { idempotencyKey, id } of repeats) {
    const { createConnector } = (await create(at, idempotencyKey)).body.data;
    expect([createConnector.repeated, createConnector.connector.id]).toEqual([true, id]);
  }
}

test('Connector tokens, cursors and idempotency keys work throughout the key change, and with the new key alone.', async () => {
  await rollout('former', 'announced');
  await stop();
  await rollout('announced', 'switched');
  const [, { database, kit }] = running as [RunningService, RunningService];
  expect(await createReencryption({ database, kit, masters: steps.switched }).run()).toBe(0);
  await stop();
  await rollout('switched', 'removed');
  await stop();
  await everythingWorks(await start('removed'));
  await stop();
});

test('A process with another key does not start.', async () => {
  await expect(start('former')).rejects.toThrow('TOKEN_KEY is not the key that encrypts this database');
});

test('Every column of bytes is sealed again under the new key, or contains no sealed values.', async () => {
  const { database } = await start('removed');
  const { rows } = await database.sql.query<{ name: string }>(
    `SELECT format('%s.%s', table_name, column_name) AS name FROM information_schema.columns
      WHERE table_schema = 'provisioning' AND data_type = 'bytea'`,
  );
  const digests = [
    'bulk_submissions.digest',
    'connector_tokens.digest',
    'idempotency_keys.digest',
    'idempotency_keys.input',
  ];
  expect(rows.map(({ name }) => name).toSorted()).toEqual([...digests, 'kept_keys.sealed'].toSorted());
});
