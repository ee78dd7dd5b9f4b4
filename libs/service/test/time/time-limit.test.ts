import { expect, test } from '@jest/globals';
import { within } from '../../src/index.ts';

test('Work that settles before its timeout keeps its result or its error.', async () => {
  expect(await within(60_000, Promise.resolve('done'))).toBe('done');
  await expect(within(60_000, Promise.reject(new Error('connection refused')))).rejects.toThrow(
    'connection refused',
  );
});

test('Work that does not settle before its timeout is rejected.', async () => {
  await expect(within(1, new Promise(() => undefined))).rejects.toThrow('No answer within 1 ms');
});
