import { describe, expect, test } from '@jest/globals';
import { explore } from './explore.ts';
import { feed, type Mistake, type Plan } from './feed.ts';

describe('commits and reads of the feed in every order', () => {
  test.each([
    ['in one page', { writers: 3, page: 10, restarts: 1 }],
    ['in pages of one entry', { writers: 3, page: 1, restarts: 1 }],
    ['in pages of two entries', { writers: 3, page: 2, restarts: 0 }],
  ] satisfies [string, Plan][])('No revocation is missed when the feed is read %s.', (_what, plan) => {
    const { problem, states, settled } = explore(feed(plan));
    expect(problem).toBeUndefined();
    expect(states).toBeGreaterThan(1_000);
    expect(settled).toBeGreaterThan(1);
  });
});

describe('effect of mistakes', () => {
  test.each([
    'cursor by number',
    'cursor by newest transaction',
    'position after the rows',
  ] satisfies Mistake[])('The model finds a problem with the mistake %s.', (mistake) => {
    const { problem } = explore(feed({ writers: 2, page: 10, restarts: 0, mistake }));
    expect(problem).toBeDefined();
  });
});
