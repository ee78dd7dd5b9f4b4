import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DomainEvent, EventOfType } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import fc from 'fast-check';
import { handleDirectoryEvents } from '../../../src/lifecycle/directory-events/directory-events.jobs.ts';
import {
  redeem,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

type Type = 'created' | 'updated' | 'deactivated' | 'reactivated' | 'deleted';

function userEvent(of: string, subject: string, version: number, type: Type): DomainEvent {
  return {
    id: uuidv7(),
    tenant: of,
    type: `user.${type}`,
    subject,
    version,
    occurredAt: new Date().toISOString(),
    actor: { kind: 'system', id: 'test' },
    payload: {
      id: subject,
      userName: `${subject}-${version}`,
      active: type !== 'deactivated' && type !== 'deleted',
      emails: [],
      externalIds: {},
      changedAt: new Date().toISOString(),
    },
  } as EventOfType<'user.updated'>;
}

const take = (events: readonly DomainEvent[]) =>
  service.deps.database.transaction(async (tx) => {
    await handleDirectoryEvents(events, tx, service.deps);
  });

const stateOf = async (of: string, ids: readonly string[]) =>
  (
    await service.deps.database.sql.query<{ id: string; epoch: number }>(
      `SELECT id, active, deleted, version, user_name, epoch FROM auth.subjects
       WHERE tenant = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
      [of, ids],
    )
  ).rows;

describe('batches of events', () => {
  test('Events in a batch leave users in the same state as single events, in any order and any division.', async () => {
    const history = fc.array(fc.constantFrom<Type>('updated', 'deactivated', 'reactivated'), {
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(history, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        async (histories, stream) => {
          const ids = histories.map(() => uuidv7());
          const plans = histories.flatMap((types, person) =>
            (['created', ...types] as Type[]).map((type, i) => ({
              id: ids[person] as string,
              type,
              version: i + 1,
            })),
          );
          const random = () => stream.next().value as number;
          const shuffled = plans.map((plan) => ({ plan, at: random() })).sort((a, b) => a.at - b.at);
          const [alone, together] = [`alone-${uuidv7()}`, `together-${uuidv7()}`];
          const eventsOf = (of: string) =>
            shuffled.map(({ plan: { id, type, version } }) => userEvent(of, id, version, type));
          for (const event of eventsOf(alone)) await take([event]);
          for (let rest = eventsOf(together); rest.length > 0; )
            await take(rest.splice(0, 1 + (random() % 6)));
          const withoutEpoch = async (of: string) =>
            (await stateOf(of, ids)).map(({ epoch: _, ...state }) => state);
          expect(await withoutEpoch(together)).toEqual(await withoutEpoch(alone));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('A batch with a hundred new users and one offboarding revokes the access of the offboarded user only.', async () => {
    const client = await service.client({ require_consent: false });
    const leaver = await service.person('leaver-in-a-batch');
    const stayer = await service.person('stayer-in-a-batch');
    const tokenOf = async (name: string) =>
      (await redeem(service, client, await signInAndAllow(service.browser(), client, name))).body
        .access_token ?? '';
    const [leaving, staying] = [await tokenOf('leaver-in-a-batch'), await tokenOf('stayer-in-a-batch')];
    const newcomers = Array.from({ length: 100 }, () => userEvent(tenant, uuidv7(), 1, 'created'));
    await service.directory.send([
      ...newcomers.slice(0, 50),
      service.directory.changed(tenant, leaver.id, 'user.deactivated'),
      service.directory.changed(tenant, stayer.id, 'user.updated'),
      ...newcomers.slice(50),
    ]);
    await eventually(async () => (await userinfoStatus(service, leaving)) === 401);
    expect(await userinfoStatus(service, staying)).toBe(200);
    const ids = newcomers.map(({ subject }) => subject);
    await eventually(async () => (await stateOf(tenant, ids)).length === 100);
    expect((await stateOf(tenant, ids)).every(({ epoch }) => epoch === 0)).toBe(true);
  });

  test('Batches that create and offboard the same users in opposite order do not deadlock.', async () => {
    // A transaction that fails by a deadlock runs again.
    let runs = 0;
    const counted = (events: readonly DomainEvent[]) =>
      service.deps.database.transaction(async (tx) => {
        runs += 1;
        await handleDirectoryEvents(events, tx, service.deps);
      });
    for (let round = 0; round < 40; round += 1) {
      const [first, second] = [uuidv7(), uuidv7()];
      const batch = (created: string, gone: string) => [
        userEvent(tenant, created, 1, 'created'),
        userEvent(tenant, gone, 2, 'deactivated'),
      ];
      await Promise.all([counted(batch(second, first)), counted(batch(first, second))]);
    }
    expect(runs).toBe(80);
  });

  test('Concurrent overlapping batches end in the newest state.', async () => {
    const ids = Array.from({ length: 10 }, () => uuidv7());
    const batches = Array.from({ length: 8 }, (_, i) =>
      [...ids]
        .sort(() => Math.random() - 0.5)
        .map((id) => userEvent(tenant, id, i + 1, i === 7 ? 'deactivated' : i === 0 ? 'created' : 'updated')),
    );
    await Promise.all(batches.map(take));
    expect(await stateOf(tenant, ids)).toEqual(
      [...ids].sort().map((id) => expect.objectContaining({ id, version: 8, active: false })),
    );
  });
});
