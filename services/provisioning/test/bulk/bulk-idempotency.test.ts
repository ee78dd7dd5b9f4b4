import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { publicOrigin } from '../support/authorization-server.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { buildOf, type RunningProcess, startProcess } from '../support/running-process.ts';
import { type RunningService, redisUrl, type ScimResponse, startService } from '../support/service.ts';
import { describeProcesses } from '../support/two-processes.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

let directory: RecordingDirectory;
let service: RunningService;
let twin: RunningService;
let token: string;
const tokenKey = randomBytes(32);
/** Resources of the directory, by id. */
const stored = new Map<string, object>();
let onCreate: (userName: string) => Promise<void>;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, tokenKey });
  const { authorization, prefix, databaseUrl: database } = service;
  twin = await startService({ directoryUrl: directory.url, tokenKey, authorization, prefix, database });
  token = (await service.connector({ name: 'HR' })).token;
});
afterAll(async () => {
  await twin?.close();
  await service?.close();
  await directory?.close();
});
beforeEach(() => {
  directory.clear();
  stored.clear();
  onCreate = async () => undefined;
  directory.state.respond = async ({ method, path, body }) => {
    const id = path.split('/').at(-1) as string;
    if (method === 'POST') {
      await onCreate(body.resource.userName);
      if (stored.has(body.id)) return taken;
      stored.set(body.id, { ...body.resource, id: body.id, meta: { version: 'W/"1"' } });
      return undefined;
    }
    if (method === 'GET') return stored.has(id) ? { status: 200, body: stored.get(id) } : missing;
    if (method === 'DELETE') return stored.delete(id) ? { status: 204 } : missing;
    return undefined;
  };
});

const missing = {
  status: 404,
  body: { schemas: [errorSchema], status: '404', detail: 'There is no such User.' },
};
const taken = {
  status: 409,
  body: { schemas: [errorSchema], status: '409', scimType: 'uniqueness', detail: 'This id is taken.' },
};
const names = () => [...stored.values()].map((user) => (user as { userName: string }).userName).sort();
const creations = () => directory.commands.filter(({ method }) => method === 'POST').length;
const statuses = (answer: ScimResponse) => answer.body.Operations.map((o: { status: string }) => o.status);
const creationsOf = (...userNames: string[]) =>
  userNames.map((userName) => ({
    method: 'POST',
    path: '/Users',
    bulkId: userName,
    data: { schemas: [userSchema], userName },
  }));
const send = (
  Operations: object[],
  key: string | undefined,
  o: { at?: RunningService; token?: string; failOnErrors?: number } = {},
) =>
  (o.at ?? service).scim('POST', '/Bulk', {
    token: o.token ?? token,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    body: { schemas: [bulkRequest], Operations, ...(o.failOnErrors ? { failOnErrors: o.failOnErrors } : {}) },
  });
const endLeases = () =>
  service.database.sql.query(
    `UPDATE provisioning.bulk_submissions SET lease_until = now() - interval '1 second'`,
  );

test('A Bulk repeated with its key gets the same response from any process and is not executed again.', async () => {
  const key = uuidv7();
  const operations = [...creationsOf('ada', 'bob'), { method: 'DELETE', path: '/Users/42' }];
  const first = await send(operations, key);
  expect(statuses(first)).toEqual(['201', '201', '404']);
  const commands = directory.commands.length;
  for (const at of [service, twin]) {
    const again = await send(operations, key, { at });
    expect(again.status).toBe(200);
    expect(again.body).toEqual(first.body);
  }
  expect((await send(operations, `"${key}"`)).body).toEqual(first.body);
  expect(directory.commands).toHaveLength(commands);
});

test('A Bulk repeated without a key is executed again.', async () => {
  await send(creationsOf('ada'), undefined);
  await send(creationsOf('ada'), undefined);
  expect(creations()).toBe(2);
});

test('Of 20 concurrent Bulks with one key over two processes, one is executed and the others wait for it.', async () => {
  const key = uuidv7();
  onCreate = () => new Promise((resolve) => setTimeout(resolve, 20));
  const operations = creationsOf('a', 'b', 'c');
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => send(operations, key, { at: i % 2 === 0 ? service : twin })),
  );
  expect(creations()).toBe(3);
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    expect(answer.status).toBe(409);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(statuses(await send(operations, key, { at: twin }))).toEqual(['201', '201', '201']);
  expect(creations()).toBe(3);
});

test('A key identifies one request: a different request with it is rejected with 422.', async () => {
  const key = uuidv7();
  await send(creationsOf('ada'), key);
  const other = await send(creationsOf('mallory'), key);
  expect([other.status, other.body.schemas]).toEqual([422, [errorSchema]]);
  expect(names()).toEqual(['ada']);
});

test('Keys are separate for each caller and each tenant.', async () => {
  const key = uuidv7();
  const other = await service.connector({ name: 'Other' });
  const rival = await service.connector({ name: 'Rival', tenant: 'rival' });
  const clients = await Promise.all(
    ['c1', 'c2'].map((subject) => service.authorization.token({ subject, scopes: ['scim:write'] })),
  );
  for (const [i, of] of [token, other.token, ...clients].entries()) {
    expect(statuses(await send(creationsOf(`user-${i}`), key, { token: of }))).toEqual(['201']);
  }
  const body = { schemas: [bulkRequest], Operations: creationsOf('theirs') };
  const theirs = await service.scim('POST', '/Bulk', {
    tenant: 'rival',
    token: rival.token,
    headers: { 'idempotency-key': key },
    body,
  });
  expect(statuses(theirs)).toEqual(['201']);
  expect(creations()).toBe(5);
});

test.each(['', ' ', 'a b', 'x'.repeat(256), 'caf\u00e9'])(
  'The key %p is rejected as invalidValue.',
  async (key) => {
    const answer = await send(creationsOf('ada'), key);
    expect([answer.status, answer.body.scimType]).toEqual([400, 'invalidValue']);
    expect(creations()).toBe(0);
  },
);

test('A repetition with the key retries only the operations whose outcome was undecided.', async () => {
  const key = uuidv7();
  const respond = directory.state.respond;
  directory.state.respond = async (command) =>
    command.body?.resource?.userName === 'bob' ? { status: 503 } : respond?.(command);
  const operations = [
    ...creationsOf('ada', 'bob'),
    {
      method: 'POST',
      path: '/Users',
      bulkId: 'carl',
      data: { schemas: [userSchema], userName: 'carl', manager: 'bulkId:bob' },
    },
  ];
  expect(statuses(await send(operations, key))).toEqual(['201', '503', '503']);
  directory.state.respond = respond;
  expect(statuses(await send(operations, key, { at: twin }))).toEqual(['201', '201', '201']);
  expect(names()).toEqual(['ada', 'bob', 'carl']);
  expect(directory.commands.filter(({ body }) => body?.resource?.userName === 'ada')).toHaveLength(1);
});

test('The count for failOnErrors includes the errors of earlier runs.', async () => {
  const key = uuidv7();
  const operations = [{ method: 'DELETE', path: '/Users/42' }, ...creationsOf('ada')];
  const first = await send(operations, key, { failOnErrors: 1 });
  expect(statuses(first)).toEqual(['404']);
  expect((await send(operations, key, { failOnErrors: 1 })).body).toEqual(first.body);
  expect(creations()).toBe(0);
});

test('A run that lost its lease begins no further operation, and the next run does not repeat its creations.', async () => {
  const key = uuidv7();
  const operations = creationsOf('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let arrived = 0;
  let onFull: () => void = () => undefined;
  const full = new Promise<void>((resolve) => {
    onFull = resolve;
  });
  onCreate = async () => {
    arrived += 1;
    if (arrived === 8) onFull();
    await held;
  };
  const stuck = send(operations, key);
  await full;
  await endLeases();
  onCreate = async () => undefined;
  const taken = await send(operations, key, { at: twin });
  expect(new Set(statuses(taken))).toEqual(new Set(['201']));
  release();
  const late = await stuck;
  expect(late.status).toBe(200);
  expect(stored.size).toBe(12);
  const ids = (answer: ScimResponse) =>
    answer.body.Operations.map((o: { location?: string }) => o.location).slice(0, 8);
  expect(ids(late)).toEqual(ids(taken));
});

test('Bulk submissions are deleted after a day.', async () => {
  const key = uuidv7();
  await send(creationsOf('ada'), key);
  await service.database.sql.query(
    `UPDATE provisioning.bulk_submissions SET started_at = now() - interval '25 hours' WHERE key = $1`,
    [key],
  );
  while ((await service.app.submissions.prune()) > 0);
  const left = await service.database.sql.query(
    `SELECT count(*) FILTER (WHERE s.key = $1)::int AS of_key FROM provisioning.bulk_submissions s`,
    [key],
  );
  expect(left.rows).toEqual([{ of_key: 0 }]);
});

const main = buildOf('provisioning', 'main.js');
describeProcesses('a process that is killed in the middle', () => {
  let doomed: RunningProcess;
  let heir: RunningProcess;

  beforeAll(async () => {
    const env = {
      DATABASE_URL: service.databaseUrl,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: service.prefix,
      AUTH_URL: service.authorization.url,
      DIRECTORY_URL: directory.url,
      PUBLIC_ORIGIN: publicOrigin,
      SERVICE_CLIENT_SECRET: 'a secret for the tests',
      HOST: '127.0.0.1',
      TOKEN_KEY: Buffer.from(tokenKey).toString('base64url'),
    };
    [doomed, heir] = await Promise.all([startProcess(main, env), startProcess(main, env)]);
  });
  afterAll(async () => {
    await heir?.stop();
    await doomed?.stop();
  });

  test('The Bulk of a killed process is finished by another one, with nothing created twice and all changes applied.', async () => {
    const key = uuidv7();
    const gone = uuidv7();
    stored.set(gone, { id: gone, userName: 'gone' });
    const userNames = Array.from({ length: 60 }, (_, i) => `user-${i}`);
    const body = JSON.stringify({
      schemas: [bulkRequest],
      Operations: [
        ...creationsOf(...userNames),
        { method: 'DELETE', path: `/Users/${gone}` },
        {
          method: 'PATCH',
          path: '/Users/bulkId:user-0',
          data: { schemas: [patchOp], Operations: [{ op: 'replace', path: 'title', value: 'x' }] },
        },
      ],
    });
    const post = (at: RunningProcess) =>
      fetch(`${at.url}/t/demo/scim/v2/Bulk`, {
        method: 'POST',
        headers: {
          'content-type': 'application/scim+json',
          authorization: `Bearer ${token}`,
          'idempotency-key': key,
        },
        body,
      });
    let killed: () => void = () => undefined;
    const dead = new Promise<void>((resolve) => {
      killed = resolve;
    });
    onCreate = async () => {
      if (creations() === 30) doomed.kill();
      if (creations() >= 30) await dead;
    };
    await expect(post(doomed)).rejects.toThrow();
    killed();
    onCreate = async () => undefined;

    // The first process has stopped, but its lease is still valid.
    const early = await post(heir);
    expect([early.status, Number(early.headers.get('retry-after'))]).toEqual([409, expect.any(Number)]);
    await endLeases();
    const answer = await post(heir);
    expect(answer.status).toBe(200);
    const { Operations } = (await answer.json()) as { Operations: { status: string; location: string }[] };
    expect(Operations.map(({ status }) => status)).toEqual([...userNames.map(() => '201'), '204', '200']);
    expect(names()).toEqual([...userNames].sort());
    expect(new Set(Operations.slice(0, 60).map(({ location }) => location)).size).toBe(60);
    const replay = (await (await post(heir)).json()) as object;
    expect(replay).toMatchObject({ Operations });
  });
});
