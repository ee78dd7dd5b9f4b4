import { expect, test } from '@jest/globals';
import { LiveWindow, type Placed } from '../../src/subscriptions/domain/event-window.ts';
import type { LiveOperation } from '../../src/subscriptions/graph/operation.ts';
import { LiveSubscription } from '../../src/subscriptions/graph/subscription.ts';

const placed = (ms: number, subject = 'alice'): Placed => ({
  at: { ms, seq: 0 },
  event: {
    id: `${ms}`,
    tenant: 'demo',
    type: 'user.updated',
    subject,
    version: ms,
    occurredAt: new Date(ms).toISOString(),
  },
});

/** Creates a subscriber that resumes after `ms` in a window. */
function subscriberIn(window: LiveWindow, ms: number): LiveSubscription {
  return new LiveSubscription({
    operation: {} as LiveOperation,
    after: { ms, seq: 0 },
    missed: (position) => window.next('demo', position, ({ event }) => event.subject === 'alice'),
    capacity: 2,
    show: async (delivery) => ({ data: { id: delivery.placed.event.id } }),
    onClosed: () => undefined,
  });
}
const shown = async (subscription: LiveSubscription) => {
  const { value } = await subscription.next();
  return value?.data?.id ?? value?.errors?.[0]?.extensions?.code;
};

test('A resuming subscriber gets the missed events, then those published in the meantime, then the live ones.', async () => {
  const window = new LiveWindow(100, { ms: 0, seq: 0 });
  const subscription = subscriberIn(window, 1);
  for (const each of [placed(1), placed(2), placed(3, 'bob'), placed(4)]) window.add(each);
  const late = subscriberIn(window, 1);
  expect([subscription.idle, late.idle]).toEqual([true, false]);
  const publish = (each: Placed) => {
    window.add(each);
    return late.push({ placed: each, asked: undefined });
  };
  expect([5, 6, 7, 8].map((ms) => publish(placed(ms)))).toEqual([true, true, true, true]);
  const got: unknown[] = [];
  for (let count = 0; count < 6; count += 1) got.push(await shown(late));
  expect(got).toEqual(['2', '4', '5', '6', '7', '8']);
  const waiting = shown(late);
  expect(publish(placed(9))).toBe(true);
  expect(await waiting).toBe('9');
  expect([10, 11, 12].map((ms) => publish(placed(ms)))).toEqual([true, true, false]);
});

test('A subscriber slower than the retained events is notified of the gap, and gets nothing after it.', async () => {
  const window = new LiveWindow(3, { ms: 0, seq: 0 });
  for (let ms = 1; ms <= 3; ms += 1) window.add(placed(ms));
  const subscription = subscriberIn(window, 0);
  expect(await shown(subscription)).toBe('1');
  for (let ms = 4; ms <= 9; ms += 1) window.add(placed(ms));
  expect(await shown(subscription)).toBe('RESUME_NOT_POSSIBLE');
  expect(await subscription.next()).toEqual({ done: true, value: undefined });
});
