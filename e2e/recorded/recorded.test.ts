import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Kind, parse, print } from 'graphql';
import { runningDemo } from '../support/demo.ts';
import { actionsOf } from './actions.ts';
import { appRows } from './app-rows.ts';
import { connectorRows } from './connector-rows.ts';
import { directoryRows } from './directory-rows.ts';
import { idle, prepareIdle } from './idle.ts';
import { type Entry, entriesOf } from './logs.ts';
import { pageActions, visitPages } from './pages.ts';
import { usersRows } from './people-rows.ts';
import { receiverRows } from './receiver-rows.ts';
import type { LogName, Named, Row } from './row.ts';
import { createWorld, origin, type Sent, type World } from './world.ts';

/** Mutation → type of its input, for every mutation of the graph. */
const mutations = new Map(
  parse(readFileSync(new URL('../../gateway/released-api.graphql', import.meta.url), 'utf8'))
    .definitions.flatMap((node) =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === 'Mutation' ? (node.fields ?? []) : [],
    )
    .map((field) => {
      const input = field.arguments?.find(({ name }) => name.value === 'input');
      return [field.name.value, input ? print(input.type) : ''];
    }),
);

const rows: readonly Row[] = [...directoryRows, ...connectorRows, ...appRows, ...receiverRows, ...usersRows];
/** Actions that neither a mutation nor a page causes, or that need more setup than this test has. */
const byOtherWays = [
  // services/auth/test/oauth/trust/agents.test.ts
  'delegation.created',
  // services/auth/test/identity/sign-in/recovery.test.ts
  'user.recovery_begun',
  // services/auth/test/access/ownership/known-secrets.test.ts
  'user.invitation_revoked',
  // services/auth/test/oauth/metadata-and-keys.test.ts
  'signing_key.activated',
  // services/auth/test/signals/streams/streams.test.ts
  'signal_stream.created',
] as const;

const nameOf = ({ mutation, case: which }: Named): string => `${mutation}${which ? `, ${which}` : ''}`;

const demo = runningDemo();
const began = new Date();
let world: World;
/** Result of each row by name; an Error if the row failed. */
const done = new Map<string, Sent | Error>();
const secrets: string[] = [];
let logged: Entry[] = [];
let rivals: Entry[] = [];

beforeAll(async () => {
  world = await createWorld(demo, mutations);
  await prepareIdle(world);
  for (const row of rows) done.set(nameOf(row), await perform(row).catch((error: Error) => error));
  await visitPages(world);
  for (const { by = 'administrator', select, ...attempt } of idle)
    done.set(nameOf(attempt), await world.ask(by, attempt.mutation, attempt.input(world.the), select));
  const follows = rows.reduce((sum, row) => sum + (row.follows?.length ?? 0), 0);
  // Follow-up entries are written asynchronously. A row whose own entry is missing has none.
  await eventually(
    async () => {
      const aside = await entriesOf(demo, await world.readers.aside(), began);
      logged = [...(await entriesOf(demo, world.readers.own, began)), ...aside];
      return rows.flatMap((row) => traced(row).filter(({ action }) => row.follows?.includes(action)));
    },
    (followed) => followed.length >= follows,
  ).catch(() => undefined);
  rivals = await entriesOf(demo, world.readers.rival, began);
});

async function perform(row: Row): Promise<Sent> {
  await row.prepare?.(world);
  const sent = await world.ask(row.by ?? 'administrator', row.mutation, row.input(world.the), row.select);
  const { errors, payload } = sent;
  const problems = payload?.problems as object[] | undefined;
  if (errors.length > 0 || problems?.length !== 0) {
    throw new Error(`${nameOf(row)} was refused: ${JSON.stringify([errors, problems])}`);
  }
  for (const [name, path] of Object.entries(row.keep ?? {})) world.the.set(name, String(at(payload, path)));
  for (const name of row.secrets ?? []) secrets.push(world.the.get(name));
  // The prefix of a secret and the address of a link are not secret.
  for (const name of ['token', 'secret', 'clientSecret', 'url']) {
    const shown = payload?.[name];
    if (typeof shown === 'string') secrets.push(shown.replace(/^(whsec_|.*\?token=)/, ''));
  }
  return sent;
}

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Record<string, unknown> | null)?.[key], value);

function sentBy(attempt: Named): Sent {
  const sent = done.get(nameOf(attempt));
  if (sent instanceof Error) throw sent;
  if (!sent) throw new Error(`${nameOf(attempt)} was not tried`);
  return sent;
}

function traced(attempt: Named): Entry[] {
  const sent = done.get(nameOf(attempt));
  return sent && !(sent instanceof Error) ? logged.filter(({ traceId }) => traceId === sent.traceId) : [];
}

test('Every mutation of the graph has a row.', () => {
  const named = new Set(rows.map(({ mutation }) => mutation));
  const missing = [...mutations.keys()].filter((name) => !named.has(name));
  const advice = `Each change must leave an entry in a log, in the transaction of the change. Add a row for each of these to one of
e2e/recorded/*-rows.ts, saying how to make the change and which entry of which log tells of it. If a test of the row then finds
none, the code has to write it: record() in auth, tables.record() in the directory, recordChange() in provisioning.`;
  expect({ missing, advice }).toEqual({ missing: [], advice });
  expect([...named].filter((name) => !mutations.has(name))).toEqual([]);
  expect(mutations.size).toBeGreaterThanOrEqual(70);
});

describe('the actions of a log', () => {
  const did = (log: LogName) => [
    ...rows.filter((row) => row.log === log).map(({ action }) => action),
    ...rows.flatMap(({ follows = [] }) => follows),
  ];

  test.each(['auditLog', 'securityLog', 'connectorLog'] as const)(
    'Every action of %s is declared in the schema and documented.',
    (log) => {
      const { code, schema, page } = actionsOf(log);
      expect(schema).toEqual(code);
      expect(page).toEqual(code);
    },
  );

  test.each([
    ['auditLog', []],
    ['connectorLog', []],
    ['securityLog', [...byOtherWays, ...pageActions.map(([action]) => action)]],
  ] as const)(
    'Every action of %s is written in this test or listed as written by other means.',
    (log, others) => {
      const written = new Set([...did(log), ...others]);
      expect(actionsOf(log).code.filter((action) => !written.has(action))).toEqual([]);
      // An action that a mutation of the graph now causes must be removed from the list.
      expect(others.filter((action) => did(log).includes(action))).toEqual([]);
    },
  );
});

describe('entries of changes: actor, object, values before and after, origin and trace', () => {
  test.each(rows.map((row) => [nameOf(row), row] as const))(
    'The change %s leaves exactly one entry.',
    (_name, row) => {
      const { requestId } = sentBy(row);
      const entries = traced(row);
      const actions = entries.map(({ action }) => action).filter((action) => action !== row.mayFollow);
      expect(actions.sort()).toEqual([row.action, ...(row.follows ?? [])].sort());
      const [entry] = entries.filter(({ action }) => action === row.action);
      const { the, who } = world;
      const { clientId, ...actor } = who[row.by ?? 'administrator'];
      expect(entry).toMatchObject({
        log: row.log,
        resourceType: row.resourceType,
        resourceId: typeof row.resource === 'string' ? the.get(row.resource) : row.resource(the),
        actor,
        clientId,
        ipAddress: row.by === 'operator' ? expect.stringMatching(/^(127\.0\.0\.1|::1)$/) : origin.address,
        userAgent: origin.userAgent,
        requestId,
        changes: row.changes(the),
      });
    },
  );
});

describe('entries of actions on pages', () => {
  test.each(pageActions)(
    'The action %s is recorded with the user as its actor.',
    (action, name, resourceType) => {
      const id = world.the.get(name);
      const found = logged.filter((entry) => entry.action === action && entry.actor.id === id);
      expect(found.length).toBeGreaterThan(0);
      for (const entry of found) {
        expect(entry).toMatchObject({
          log: 'securityLog',
          resourceType,
          actor: { kind: 'USER', onBehalfOf: null },
          ipAddress: expect.stringMatching(/^(127\.0\.0\.1|::1)$/),
          userAgent: expect.any(String),
        });
      }
    },
  );
});

describe('attempts without a change', () => {
  test.each(idle.map((attempt) => [nameOf(attempt), attempt] as const))(
    'The attempt %s leaves no entry.',
    (_name, attempt) => {
      const { traceId, errors, payload } = sentBy(attempt);
      const problems = (payload?.problems ?? []) as { code: string }[];
      expect([
        ...errors.map(({ extensions }) => extensions?.code),
        ...problems.map(({ code }) => code),
      ]).toEqual(attempt.refusal === undefined ? [] : [attempt.refusal]);
      const entries = [...logged, ...rivals].filter((entry) => entry.traceId === traceId);
      expect(entries).toEqual([]);
    },
  );
});

test('No log holds a secret that was supplied or shown.', () => {
  const text = JSON.stringify(logged);
  expect(secrets.length).toBeGreaterThanOrEqual(14);
  for (const secret of secrets) expect(secret.length).toBeGreaterThanOrEqual(16);
  expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
});

test('The logs of the other tenant contain no entry of these changes.', () => {
  const traces = new Set([...done.values()].map((sent) => (sent instanceof Error ? '' : sent.traceId)));
  expect(rivals.filter(({ traceId }) => traceId !== null && traces.has(traceId))).toEqual([]);
});
