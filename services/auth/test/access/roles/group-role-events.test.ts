import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { NewEvent } from '@ostiary/events';
import { createKit } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { addOverdueChecks } from '../../../src/access/roles/data/membership-checks.ts';
import { scopesOfRoles } from '../../../src/access/roles/domain/roles.ts';
import { groupRoleAge } from '../../../src/access/roles/group-roles.jobs.ts';
import {
  give,
  holdings,
  isSettled,
  otherProcess,
  type SignedIn,
  service,
  setUpRoleGroups,
  signIn,
  take,
  webConsole,
} from '../../support/sign-in/role-groups.ts';
import { rival, tenant, token, userinfoStatus } from '../../support/sign-in/service.ts';

setUpRoleGroups();

afterEach(() => {
  service.directory.available = true;
  service.directory.groups.beforeAnswer = async () => undefined;
});

const handled = (events: readonly NewEvent[]) =>
  eventually(
    async () => (await service.deps.directoryEvents.missing(events.map(({ id = '' }) => id))).length === 0,
  );
const isOpen = async (person: SignedIn) => (await userinfoStatus(service, person.accessToken)) === 200;
const expectClosed = (person: SignedIn) => eventually(async () => !(await isOpen(person)));
const hasRole = async (id: string) => (await holdings(id)).length > 0;

async function holder(userName: string): Promise<{ group: string; person: SignedIn }> {
  const { id } = await service.person(userName);
  const group = service.directory.groups.create(tenant, [id]);
  await give(group);
  return { group, person: await signIn({ id, userName }) };
}

describe('events about memberships', () => {
  test('A check that waits for the answer of the directory is visible in the metrics.', async () => {
    const { group, person } = await holder('seen-waiting');
    const { metrics } = createKit({ name: 'test', logLevel: 'silent' });
    const look = groupRoleAge(metrics, service.deps);
    const age = async () => {
      await look();
      const text = await metrics.getSingleMetricAsString('group_role_checks_age_seconds');
      return Number(/^group_role_checks_age_seconds\S* (\S+)$/m.exec(text)?.[1]);
    };
    await eventually(async () => (await age()) === 0);
    service.directory.available = false;
    const left = service.directory.groups.changed(group, { remove: [person.id] });
    await service.directory.send([left]);
    await handled([left]);
    await eventually(async () => (await age()) > 0.2);
    service.directory.available = true;
    await expectClosed(person);
    await eventually(async () => (await age()) === 0);
  });

  test('A repeated event has one effect, and a user who has rejoined the group keeps the new access.', async () => {
    const { group, person } = await holder('twice');
    const { groups } = service.directory;
    const left = groups.changed(group, { remove: [person.id] });
    await service.directory.send([left]);
    await expectClosed(person);
    await groups.add(group, person.id);
    await eventually(() => hasRole(person.id));
    const again = await signIn(person);
    await service.directory.send([{ ...left, id: crypto.randomUUID() }]);
    await sleep(200);
    await eventually(() => isSettled());
    expect(await isOpen(again)).toBe(true);
  });

  test('Events in the wrong order lead to the actual state of the membership.', async () => {
    const { group, person } = await holder('order');
    const { groups } = service.directory;
    const away = groups.changed(group, { remove: [person.id] });
    const back = groups.changed(group, { add: [person.id] });
    const gone = groups.changed(group, { remove: [person.id] });
    for (const event of [gone, back, away]) {
      await service.directory.send([event]);
      await handled([event]);
    }
    await expectClosed(person);
    expect(await hasRole(person.id)).toBe(false);
  });

  test.each([
    ['this', false],
    ['another', true],
  ])(
    'An answer older than a change counts only until %s process receives the change.',
    async (_which, another) => {
      const { group, person } = await holder(`stale answer ${another}`);
      const { groups } = service.directory;
      const inAgain = groups.changed(group, { add: [person.id] });
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      let asked = 0;
      // The first answer contains the membership, and arrives only after the user was removed.
      groups.beforeAnswer = async () => {
        asked += 1;
        if (asked === 1) await held;
      };
      await service.directory.send([inAgain]);
      await eventually(async () => asked === 1);
      const out = groups.changed(group, { remove: [person.id] });
      await service.directory.send([out]);
      await handled([out]);
      const settled = another ? otherProcess().settle(tenant) : undefined;
      await sleep(100);
      release();
      await settled;
      await service.deps.roleProjection.idle();
      await expectClosed(person);
      await eventually(() => isSettled());
      expect(await hasRole(person.id)).toBe(false);
    },
  );

  test('An event about an unknown user creates the user record.', async () => {
    const group = service.directory.groups.create(tenant);
    await give(group);
    const { id } = service.directory.addUser(tenant, 'unheard-of');
    await service.directory.groups.add(group, id);
    await eventually(() => hasRole(id));
    // Nor does a user whom the directory no longer has.
    const ghost = crypto.randomUUID();
    const other = service.directory.addUser(tenant, 'beside the ghost');
    await service.directory.groups.add(group, ghost, other.id);
    await eventually(() => hasRole(other.id));
    expect(await hasRole(ghost)).toBe(false);
  });

  test('An event about a user whose lookup fails does not block other users, and is retried.', async () => {
    const { group, person } = await holder('behind the unanswered');
    const unanswered = service.directory.addUser(tenant, 'unanswered for now');
    const { userName } = unanswered;
    // An answer without a user name is invalid.
    Object.assign(unanswered, { userName: undefined });
    await service.directory.groups.add(group, unanswered.id);
    await sleep(200);
    await service.directory.groups.remove(group, person.id);
    await expectClosed(person);
    expect(await hasRole(unanswered.id)).toBe(false);
    Object.assign(unanswered, { userName });
    await eventually(() => hasRole(unanswered.id));
  });

  test('Events in a tenant whose groups have no roles cause no directory queries.', async () => {
    const { groups } = service.directory;
    const before = groups.questions;
    const theirs = groups.create(rival);
    const events = [groups.changed(theirs, { add: [service.directory.addUser(rival, 'theirs').id] })];
    await service.directory.send(events);
    await handled(events);
    expect(await isSettled(rival)).toBe(true);
    expect(groups.questions).toBe(before);
  });
});

describe('unavailable directory', () => {
  test('While the directory is unavailable, no event is lost and other offboardings continue.', async () => {
    const { group, person } = await holder('unanswered');
    const other = await holder('departs meanwhile');
    service.directory.available = false;
    const left = service.directory.groups.changed(group, { remove: [person.id] });
    const departed = service.directory.changed(tenant, other.person.id, 'user.deactivated');
    await service.directory.send([left, departed]);
    await expectClosed(other.person);
    await handled([left]);
    expect(await isSettled()).toBe(false);
    service.directory.available = true;
    await expectClosed(person);
  });

  test('An error from the directory removes no role.', async () => {
    const { group, person } = await holder('no answer');
    const { groups } = service.directory;
    const usersIn = groups.usersIn.bind(groups);
    groups.usersIn = () => {
      throw new Error('the directory has an error');
    };
    await groups.add(group, service.directory.addUser(tenant, 'x').id);
    await sleep(300);
    expect(await isOpen(person)).toBe(true);
    groups.usersIn = usersIn;
    await eventually(() => isSettled());
    expect(await isOpen(person)).toBe(true);
  });
});

describe('concurrency', () => {
  test('Eighty unordered changes over three processes lead to the state of the directory.', async () => {
    const others = [otherProcess(), otherProcess()];
    const { groups } = service.directory;
    const people = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => service.directory.addUser(tenant, `storm-${i}`).id),
    );
    const inner = groups.create(tenant);
    const group = groups.create(tenant, [inner]);
    await give(group);
    groups.beforeAnswer = () => sleep(Math.random() * 15);
    const random = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
    const notified: NewEvent[] = [];
    const sending: Promise<void>[] = [];
    for (let i = 0; i < 80; i += 1) {
      const where = random([inner, group]);
      const who = random(people);
      const nested = i % 20 === 10;
      const event = nested
        ? groups.changed(group, random([{ add: [inner] }, { remove: [inner] }]))
        : groups.changed(where, random([{ add: [who] }, { remove: [who] }]));
      notified.push(event);
      // Some events are late, and some arrive twice.
      sending.push(
        sleep(Math.random() * 300)
          .then(() => service.directory.send([event]))
          .then(() => sleep(Math.random() * 20))
          .then(() => random(others).settle(tenant)),
      );
      if (i % 5 === 0) {
        const repeated = { ...event, id: crypto.randomUUID() };
        notified.push(repeated);
        sending.push(sleep(Math.random() * 400).then(() => service.directory.send([repeated])));
      }
      await sleep(Math.random() * 5);
    }
    await Promise.all(sending);
    await handled(notified);
    await eventually(() => isSettled());
    await Promise.all([service.deps.roleProjection, ...others].map((process) => process.idle()));
    const members = groups.usersIn(tenant, group);
    for (const id of people) expect([id, await hasRole(id)]).toEqual([id, members.has(id)]);
  });

  test('A user removed in the end keeps no token with the role, even if refreshed concurrently.', async () => {
    const { group, person } = await holder('restless');
    const { groups } = service.directory;
    groups.beforeAnswer = () => sleep(Math.random() * 5);
    const issued: string[] = [];
    let over = false;
    const signingIn = (async () => {
      while (!over) {
        // A sign-in that a concurrent loss overtakes is rejected: the next one is attempted.
        const signedIn = await signIn(person).catch((error: Error) => {
          if (!error.message.includes('no redirect but 401')) throw error;
        });
        if (!signedIn) continue;
        if (signedIn.accessToken) issued.push(signedIn.accessToken);
        const { body } = await token(service, webConsole, {
          grant_type: 'refresh_token',
          refresh_token: signedIn.refreshToken,
        });
        if (body.access_token) issued.push(body.access_token);
      }
    })();
    for (let i = 0; i < 10; i += 1) {
      await groups.remove(group, person.id);
      await sleep(Math.random() * 20);
      await groups.add(group, person.id);
      // On a slow machine some sign-ins still succeed: the next loss has to revoke their tokens.
      if (i % 3 === 0) {
        const before = issued.length;
        await eventually(async () => issued.length > before);
      } else await sleep(Math.random() * 20);
    }
    await groups.remove(group, person.id);
    await eventually(async () => (await isSettled()) && !(await hasRole(person.id)));
    over = true;
    await signingIn;
    const scopes = scopesOfRoles(['help_desk']);
    for (const accessToken of issued) {
      const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
      const carries = (claims.scope as string).split(' ').some((scope) => scopes.has(scope));
      expect([carries, await userinfoStatus(service, accessToken)]).not.toEqual([true, 200]);
    }
    expect(issued.length).toBeGreaterThan(3);
  });

  test('A role removed while the directory answers is not restored by the answer.', async () => {
    const { group, person } = await holder('taken meanwhile');
    const { groups } = service.directory;
    let asked = false;
    groups.beforeAnswer = async () => {
      asked = true;
      await sleep(150);
    };
    await groups.add(group, person.id);
    await eventually(async () => asked);
    await take(group);
    await expectClosed(person);
    await eventually(() => isSettled());
    expect(await hasRole(person.id)).toBe(false);
  });
});

describe('changes without events', () => {
  test('A change without an event is found by the periodic comparison with the directory.', async () => {
    const { group, person } = await holder('silent');
    await eventually(() => isSettled());
    service.directory.groups.changed(group, { remove: [person.id] });
    const { sql } = service.deps.database;
    expect(await addOverdueChecks(sql, 900, 20)).toBe(0);
    await sql.query(`UPDATE auth.privileged_groups SET checked_at = now() - interval '16 minutes'`);
    expect(await addOverdueChecks(sql, 900, 20)).toBe(1);
    await expectClosed(person);
  });

  test('A check that was interrupted after the event is completed by another process.', async () => {
    const { group, person } = await holder('interrupted');
    await eventually(() => isSettled());
    const left = service.directory.groups.changed(group, { remove: [person.id] });
    // Only the transaction of the event runs, without its follow-ups.
    await service.deps.database.transaction((tx) =>
      service.deps.roleProjection.note(tx, [{ ...left, occurredAt: new Date().toISOString() } as never]),
    );
    await expectClosed(person);
  });

  test('A user whose deletion is final has no role left.', async () => {
    const { person } = await holder('deleted for good');
    await service.directory.change(tenant, person.id, 'user.deleted');
    await expectClosed(person);
    await eventually(async () => !(await hasRole(person.id)));
  });
});
