import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { families, knownKeys, spoilings } from '../redis/attacker.ts';
import { everythingWorks, uses } from '../redis/uses.ts';
import { createWorld, reopened, rightsIn, type World } from '../redis/world.ts';

/**
 * Every key there is, of every family, taken away or made into something else that never ends by itself: nothing that has ended
 * comes back, no process dies, and as soon as the attacker is gone everything works again without anybody's help.
 */

jest.setTimeout(90_000);

let world: World;
let spoilt: Set<string>;

beforeAll(async () => {
  world = await createWorld();
  spoilt = new Set();
  await everythingWorks(world);
});
afterAll(() => world?.stop());

test('Every family of Redis keys has a use in the tests.', () => {
  expect(Object.keys(uses).toSorted()).toEqual(families.toSorted());
});

test.each(Object.keys(spoilings))(
  'When every Redis key is spoilt (%s), no access of an offboarded user returns and no process restarts.',
  async (name) => {
    const { attacker, own, pids } = world;
    const before = await rightsIn(world);
    const found = await attacker.byFamily();
    for (const family of found.keys()) spoilt.add(family);
    const keys = new Set([...knownKeys, ...[...found.values()].flat()]);
    await Promise.all([...keys].map((key) => spoilings[name]?.(attacker.redis, key)));
    expect(await reopened(world)).toEqual([]);
    await everythingWorks(world);
    expect(await reopened(world)).toEqual([]);
    // Bob and Alice have sessions by what they do; nobody else has anything.
    const gained = (await rightsIn(world)).filter((right) => !before.includes(right));
    expect(gained.filter((right) => !/^(session|grant|person) /.test(right))).toEqual([]);
    for (const { person, deleted } of [world.gone])
      expect(gained.join()).not.toMatch(new RegExp(`${person}|${deleted}`));
    expect(
      await Promise.all(
        ['auth', 'directory', 'provisioning', 'gateway'].map((process) => own.system.pid(process)),
      ),
    ).toEqual(pids);
  },
);

test('Every family of Redis keys was corrupted by the tests.', () => {
  expect([...spoilt].toSorted()).toEqual(families.toSorted());
});
