import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { graph } from '../support/graph.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { RoleStory } from '../support/roles.ts';
import { ScimClient } from '../support/scim.ts';

let own: OwnSystem;
let story: RoleStory;
let scim: ScimClient;

beforeAll(async () => {
  own = await ownSystem();
  const tenant = own.demo.tenants.demo;
  story = await RoleStory.begin(own.demo, tenant);
  scim = new ScimClient(tenant, tenant.clients.scim.token);
});

afterAll(() => own?.stop());

const statusOf = async (token: string) =>
  (await graph(own.demo, token, '{ sessions(first: 1) { totalCount } }')).status;
const expectClosed = (token: string) =>
  eventually(
    () => statusOf(token),
    (status) => status === 401,
  );
const outOf = (group: string, id: string) =>
  scim.patch(`/Groups/${group}`, [{ op: 'remove', path: `members[value eq "${id}"]` }]);

/** Deletes all data in Redis. */
async function flush(): Promise<void> {
  const { hostname, port, password } = new URL(own.system.redisUrl);
  const socket = createConnection({ host: hostname, port: Number(port) });
  socket.write(`${password === '' ? '' : `AUTH ${password}\r\n`}FLUSHALL\r\nQUIT\r\n`);
  let said = '';
  for await (const chunk of socket) said += String(chunk);
  expect(said).toMatch(/\+OK/);
  expect(said).not.toContain('-');
}

async function holder(): Promise<{ inner: string; id: string; token: string }> {
  const { inner, outer } = await story.nestedGroups();
  const person = await story.employ();
  await story.add(inner, person.id);
  await story.give(outer);
  const { tokens } = await story.signInWithRole(person);
  expect(await statusOf(tokens.access_token)).toBe(200);
  return { inner, id: person.id, token: tokens.access_token };
}

test('The role ends when auth is killed between the change and its event.', async () => {
  const { inner, id, token } = await holder();
  // auth is stopped before the event can reach it, and killed with the event in the queue.
  await own.system.kill('auth', 'SIGSTOP');
  expect([200, 204]).toContain((await outOf(inner, id)).status);
  await sleep(300);
  await own.system.kill('auth', 'SIGKILL');
  await own.system.ready('auth');
  await expectClosed(token);
});

test('The role ends after the return of a directory that was killed right after the change and cannot be queried.', async () => {
  const { inner, id, token } = await holder();
  expect([200, 204]).toContain((await outOf(inner, id)).status);
  await own.system.kill('directory', 'SIGKILL');
  await own.system.ready('directory');
  await expectClosed(token);
});

test('The role ends when the queue is lost with the event in it.', async () => {
  const { inner, id, token } = await holder();
  await own.system.kill('auth', 'SIGSTOP');
  try {
    expect([200, 204]).toContain((await outOf(inner, id)).status);
    await sleep(300);
    await flush();
  } finally {
    await own.system.kill('auth', 'SIGCONT');
  }
  await expectClosed(token);
});

test('With two auth processes, one of them killed repeatedly, exactly the members have the role in the end.', async () => {
  const second = await own.system.spawnExtra('auth');
  const { inner, outer } = await story.nestedGroups();
  await story.give(outer, { managedBySources: true });
  const people = await Promise.all(Array.from({ length: 6 }, () => story.employ()));
  let over = false;
  const killing = (async () => {
    while (!over) {
      await sleep(150);
      await own.system.kill(second.name, 'SIGKILL');
      await own.system.ready(second.name);
    }
  })();
  const members = new Map<string, boolean>();
  await Promise.all(
    people.map(async ({ id }) => {
      for (let i = 0; i < 10; i += 1) {
        const add = Math.random() < 0.5;
        const change = add
          ? await scim.patch(`/Groups/${inner}`, [{ op: 'add', path: 'members', value: [{ value: id }] }])
          : await outOf(inner, id);
        expect([200, 204]).toContain(change.status);
        members.set(id, add);
      }
    }),
  );
  over = true;
  await killing;
  await eventually(
    () =>
      graph(
        own.demo,
        story.admin,
        `{ ${people.map(({ id }, i) => `p${i}: user(id: "${id}") { id roles }`).join(' ')} }`,
      ),
    ({ data, errors }) =>
      errors.length === 0 &&
      Object.values<{ id: string; roles: string[] }>(data).every(
        ({ id, roles }) => roles.includes('HELP_DESK') === members.get(id),
      ),
  );
  await second.stop();
});
