import { expect, test } from '@jest/globals';
import { allOrders, coveringOrders, shuffled, stepsOf } from './orders.ts';

test('Four services can be replaced in 24 orders.', () => {
  expect(new Set(allOrders.map(String)).size).toBe(24);
});

test('The covering orders replace each service after every set of others.', () => {
  const covered = new Set(coveringOrders().flatMap(stepsOf));
  expect(covered).toEqual(new Set(allOrders.flatMap(stepsOf)));
  expect(covered.size).toBe(32);
  expect(coveringOrders().length).toBe(12);
});

test('A seed repeats the sequence of the orders, and leaves none out.', () => {
  expect(shuffled(allOrders, 7)).toEqual(shuffled(allOrders, 7));
  expect(new Set(shuffled(allOrders, 8).map(String)).size).toBe(24);
});
