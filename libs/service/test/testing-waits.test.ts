import { expect, test } from '@jest/globals';
import { eventually } from '../src/testing.ts';
import { askUntil } from '../src/testing-waits.ts';

test('The answer that satisfies is returned, and the query is not repeated.', async () => {
  let asked = 0;
  const answer = await eventually(
    () => {
      asked += 1;
      return asked;
    },
    (count) => count === 3,
  );
  expect([answer, asked]).toEqual([3, 3]);
});

test('Without a condition, the first truthy answer is returned.', async () => {
  const answers = [undefined, 0, '', 'ready'];
  expect(await eventually(async () => answers.shift())).toBe('ready');
});

test('An answer that never satisfies is in the error message.', async () => {
  const waiting = askUntil(
    () => ({ state: 'pending', attempts: 7n }),
    ({ state }) => state === 'delivered',
    0,
  );
  await expect(waiting).rejects.toThrow("Last answer: { state: 'pending', attempts: 7n }");
});

test('An error of the query ends the wait.', async () => {
  const broken = eventually(() => Promise.reject(new Error('broken')));
  await expect(broken).rejects.toThrow('broken');
});
