import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { ImmediateDelivery, type ImmediateDeliveryOptions } from '../src/immediate-delivery.ts';

/** Time without immediate delivery after a failure. */
const restMs = 1_000;

function immediateTo(consumer: string, deliver: ImmediateDeliveryOptions['deliver']): ImmediateDelivery {
  const table = { lockPendingUrgent: async () => [{ id: 'event' }], forget: async () => undefined };
  return new ImmediateDelivery({
    database: { transaction: async (work: (tx: object) => Promise<unknown>) => work({}) },
    table,
    log: { info: () => undefined, warn: () => undefined },
    consumers: [consumer],
    deliver,
    onDelivered: () => undefined,
    onLeft: () => undefined,
  } as unknown as ImmediateDeliveryOptions);
}

test('An event that was announced during the rest after a failure goes to the queue, also when the rest is over.', async () => {
  let isFailing = true;
  const delivery = immediateTo('auth', async () => {
    if (isFailing) throw new Error('The consumer is unavailable.');
  });
  expect(delivery.consumers).toEqual(['auth']);
  delivery.begin();
  await delivery.settled();
  expect(delivery.consumers).toEqual([]);

  isFailing = false;
  delivery.begin();
  await sleep(restMs + 50);
  // Nothing delivers the event immediately, so the relay must enqueue it.
  expect(delivery.consumers).toEqual([]);

  delivery.begin();
  await delivery.settled();
  expect(delivery.consumers).toEqual(['auth']);
  await delivery.stop();
});
