import { expect, test } from '@jest/globals';
import type { Answer } from './asking.ts';
import { Living } from './living.ts';
import type { Person } from './person.ts';
import { Random } from './random.ts';
import type { Stage } from './stage.ts';

const person = { tenant: 'demo', id: 'one', user: { userName: 'stays-0' } } as unknown as Person;
const open: Answer = { outcome: 'open', said: '200' };
const silent: Answer = { outcome: 'unavailable', said: 'no answer' };

/** Creates a user whose requests have the results of the given functions. */
async function living(doors: { graph: () => Promise<Answer>; refresh: () => Promise<Answer> }) {
  const usual = Object.entries(doors).map(([name, answer]) => ({ name, try: answer }));
  const people = {
    hire: async () => person,
    usualDoors: () => usual,
    refreshDoor: () => ({ name: 'refresh', try: doors.refresh }),
  };
  const one = new Living({} as Stage, people, new Random(1));
  await one.hire(1);
  return one;
}

test('A client that cannot refresh is not well and stays in an outage until it can.', async () => {
  let answer = silent;
  const one = await living({ graph: async () => open, refresh: async () => answer });
  expect(await one.allWell()).toBe(false);
  expect(one.outages).toMatchObject([{ door: 'refresh', to: undefined }]);
  await one.lastRound(0);
  expect(one.outages).toMatchObject([{ door: 'refresh', to: undefined }]);
  answer = open;
  await one.lastRound(0);
  expect(one.outages).toMatchObject([{ door: 'refresh', to: expect.any(Number) }]);
});

test('The last round refreshes even where the usual access path reports that no refresh is needed.', async () => {
  let asked = 0;
  const refresh = async () => {
    asked += 1;
    return asked === 1 ? { outcome: 'open' as const, said: 'not needed yet' } : silent;
  };
  const one = await living({ graph: async () => open, refresh });
  await one.lastRound(0);
  expect(one.outages).toMatchObject([{ door: 'refresh', to: undefined }]);
});

test('Two concurrent demands for the same refresh send one request.', async () => {
  let asked = 0;
  const refresh = async () => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, 20));
    return open;
  };
  const one = await living({ graph: async () => open, refresh });
  await Promise.all([one.allWell(), one.allWell()]);
  expect(asked).toBe(1);
});

test('A request that fails after a later one succeeds is recorded as an outage that is over.', async () => {
  const answers: ((answer: Answer) => void)[] = [];
  const graph = () => new Promise<Answer>((resolve) => answers.push(resolve));
  const one = await living({ graph, refresh: async () => open });
  const both = [one.allWell()];
  await new Promise((resolve) => setTimeout(resolve, 5));
  both.push(one.allWell());
  answers[1]?.(open);
  await both[1];
  answers[0]?.(silent);
  await both[0];
  expect(one.outages).toMatchObject([{ door: 'graph', to: expect.any(Number) }]);
});

test('A request that was sent before an outage began does not end it.', async () => {
  const answers: ((answer: Answer) => void)[] = [];
  const graph = () => new Promise<Answer>((resolve) => answers.push(resolve));
  const one = await living({ graph, refresh: async () => open });
  const both = [one.allWell()];
  await new Promise((resolve) => setTimeout(resolve, 5));
  both.push(one.allWell());
  answers[1]?.(silent);
  await both[1];
  answers[0]?.(open);
  await both[0];
  expect(one.outages).toMatchObject([{ door: 'graph', to: undefined }]);
});
