import { setImmediate } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { FairSemaphore } from '../../src/subscriptions/domain/fair-semaphore.ts';

test('The semaphore admits a fixed number of concurrent tasks, in turns by party: a party with many tasks does not block others.', async () => {
  const semaphore = new FairSemaphore(2);
  const done: string[] = [];
  let most = 0;
  let busy = 0;
  const work = (party: string) =>
    semaphore.run(party, async () => {
      busy += 1;
      most = Math.max(most, busy);
      await setImmediate();
      busy -= 1;
      done.push(party);
    });
  const all = Array.from({ length: 50 }, () => work('greedy'));
  all.push(work('modest'), work('modest'), work('other'));
  await Promise.all(all);
  expect(most).toBe(2);
  expect(done).toHaveLength(53);
  expect(done.indexOf('other')).toBeLessThan(8);
  expect(done.lastIndexOf('modest')).toBeLessThan(12);
});

test('A task that fails releases its permit of the semaphore.', async () => {
  const semaphore = new FairSemaphore(1);
  const failing = semaphore.run('a', async () => {
    throw new Error('no');
  });
  const next = semaphore.run('b', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
  expect(await semaphore.run('a', async () => 'again')).toBe('again');
});
