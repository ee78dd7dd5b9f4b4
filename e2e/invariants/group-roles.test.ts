import { expect, test } from '@jest/globals';
import { checksBetween } from '../../scripts/invariants/between.ts';
import type { Sources } from '../../scripts/invariants/check.ts';

// The statements are tested with the services; this test covers the evaluation of their results.

const holding = (id: string, groupId: string) => ({ tenant: 'demo', id, groupId, role: 'help_desk' });
const [stays, left, leaves] = [holding('ann', 'desk'), holding('ben', 'desk'), holding('cat', 'desk')];

test('The audit names each user with the role of a group of which the user is not a member, unless the role has ended in the meantime.', async () => {
  let looks = 0;
  const auth = {
    holdingsAfter: async (_sql: unknown, after: object | undefined) => (after ? [] : [stays, left, leaves]),
    holdingsOf: async (_sql: unknown, suspects: readonly object[]) =>
      suspects.filter((one) => one !== leaves),
  };
  const directory = {
    membersAmong: async () => {
      looks += 1;
      return [{ tenant: 'demo', id: 'ann', groupId: 'desk' }];
    },
  };
  const sources = { auth: { facts: auth }, directory: { facts: directory }, provisioning: {} };
  const check = checksBetween(sources as unknown as Sources, {
    batch: 3,
    waitingSeconds: 1,
    settleMs: 0,
  }).find(({ name }) => name === 'roles of groups');
  const flaws: unknown[] = [];
  expect(await check?.run((flaw) => flaws.push(flaw))).toBe(3);
  expect(flaws).toEqual([{ tenant: 'demo', id: 'ben', detail: 'help_desk, but not in the group desk' }]);
  expect(looks).toBe(2);
});
