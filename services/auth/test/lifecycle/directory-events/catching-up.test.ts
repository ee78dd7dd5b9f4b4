import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { DatabaseUnavailable } from '@ostiary/database';
import type { DomainEvent } from '@ostiary/events';
import { createKit, type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { DirectoryContinuity } from '../../../src/lifecycle/directory-events/continuity.data.ts';
import { double } from '../../support/double.ts';

const { log } = createKit({ name: 'auth', logLevel: 'silent' });

const idOf = (n: number): string => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const eventOf = (n: number): DomainEvent => ({
  id: idOf(n),
  tenant: 'demo',
  type: 'user.deactivated',
  subject: idOf(1_000 + n),
  version: 2,
  occurredAt: new Date().toISOString(),
  actor: { kind: 'system', id: 'test' },
  payload: { id: idOf(1_000 + n), userName: 'x', active: false, emails: [], externalIds: {}, changedAt: '' },
});

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

/** Database whose pings are counted and whose answered statements the scene records. */
const sceneDatabase = (scene: Scene) => ({
  ping: async (): Promise<void> => {
    scene.pings += 1;
    await scene.database();
  },
  get answeredAt(): number {
    return scene.answeredAt();
  },
});

/** Continuity with an adjustable clock, and with a simulated database and directory. */
class Scene {
  ahead = 0;
  pings = 0;
  answeredAt = (): number => Number.NEGATIVE_INFINITY;
  database: () => Promise<void> = async () => undefined;
  answer: (after?: string) => { status: number; body: unknown } = () => ({
    status: 200,
    body: { events: [], more: false },
  });
  readonly asked: (string | undefined)[] = [];
  readonly accepted: string[] = [];
  accept = async (events: readonly DomainEvent[]): Promise<void> => {
    this.accepted.push(...events.map(({ id }) => id));
  };
  readonly continuity = new DirectoryContinuity({
    database: sceneDatabase(this),
    directory: double<HttpPeer>({
      request: async <T>(call: { query?: Record<string, string | undefined> }) => {
        this.asked.push(call.query?.after);
        return { ...this.answer(call.query?.after), headers: {} } as {
          status: number;
          body: T;
          headers: Record<string, string>;
        };
      },
    }),
    log,
    clock: () => performance.now() + this.ahead,
    // Less than the tests advance the clock, more than they may pause.
    breakMs: 10_000,
  });

  start(): this {
    stop = this.continuity.start((events) => this.accept(events));
    return this;
  }
}

test('The start of the process counts as a break that ends with the first answer of the directory.', async () => {
  const scene = new Scene().start();
  expect(scene.continuity.sound).toBe(false);
  expect(await scene.continuity.during(async () => 'read')).toBe('read');
  expect(scene.asked).toEqual([undefined]);
  // From then on no request is sent while nothing happens.
  await sleep(1_200);
  expect(scene.continuity.sound).toBe(true);
  expect(scene.asked).toHaveLength(1);
});

test('Every page of missing events is applied in order before a request may pass.', async () => {
  const scene = new Scene();
  scene.answer = (after) => {
    const first = after === undefined ? 1 : Number(after.slice(-4)) + 1;
    return { status: 200, body: { events: [eventOf(first), eventOf(first + 1)], more: first < 5 } };
  };
  scene.accept = async (events) => {
    await sleep(50);
    scene.accepted.push(...events.map(({ id }) => id));
  };
  scene.start();
  await scene.continuity.pass();
  expect(scene.accepted).toEqual([1, 2, 3, 4, 5, 6].map(idOf));
  expect(scene.asked).toEqual([undefined, idOf(2), idOf(4)]);
});

test('A process that hung while its database was available has had a break as well.', async () => {
  const scene = new Scene().start();
  await scene.continuity.pass();
  scene.answer = () => ({ status: 200, body: { events: [eventOf(1)], more: false } });
  scene.ahead += 20_000;
  expect(scene.continuity.sound).toBe(false);
  await scene.continuity.pass();
  expect(scene.accepted).toEqual([idOf(1)]);
});

test('A database that answers only after a long time counts as unavailable.', async () => {
  const scene = new Scene().start();
  await scene.continuity.pass();
  scene.database = async () => {
    scene.database = async () => undefined;
    await sleep(100);
    scene.ahead += 20_000;
  };
  await eventually(() => scene.asked.length !== 1);
  await expect(scene.continuity.pass()).resolves.toBeUndefined();
});

test('A response that is in progress during a break is not returned.', async () => {
  const scene = new Scene().start();
  await scene.continuity.pass();
  const read = scene.continuity.during(async () => {
    scene.ahead += 20_000;
    return 'alive';
  });
  await expect(read).rejects.toBeInstanceOf(ServiceUnavailable);
});

test('A request is rejected without a wait while database connections are refused.', async () => {
  const scene = new Scene();
  scene.database = async () => {
    throw new DatabaseUnavailable({ code: 'ECONNREFUSED' });
  };
  scene.start();
  await sleep(50);
  const nextTurn = new Promise((resolve) => setImmediate(resolve));
  await expect(Promise.race([scene.continuity.pass(), nextTurn])).rejects.toMatchObject({ statusCode: 503 });
});

test('An event that cannot be processed does not block all requests, but an event that has to wait does.', async () => {
  const scene = new Scene();
  scene.answer = () => ({ status: 200, body: { events: [eventOf(1)], more: false } });
  let failure: Error = new ServiceUnavailable('postgresql');
  scene.accept = async () => {
    throw failure;
  };
  scene.start();
  await expect(scene.continuity.pass()).rejects.toBeInstanceOf(ServiceUnavailable);
  failure = new Error('nobody can handle this');
  await eventually(() => scene.continuity.sound);
  await expect(scene.continuity.pass()).resolves.toBeUndefined();
});

test('A directory of an earlier release is not waited for, but one that returns invalid answers is.', async () => {
  const earlier = new Scene();
  earlier.answer = () => ({ status: 404, body: {} });
  earlier.start();
  await expect(earlier.continuity.pass()).resolves.toBeUndefined();
  await stop?.();

  for (const body of [{}, { events: [{ id: 'x' }], more: false }, { events: [], more: true }, 'x', null]) {
    const odd = new Scene();
    odd.answer = () => ({ status: 200, body });
    odd.start();
    await sleep(100);
    expect(odd.continuity.sound).toBe(false);
    await stop?.();
  }
});

test('An answered statement replaces a ping, except when a break lies between them.', async () => {
  const scene = new Scene().start();
  expect(await scene.continuity.during(async () => 'read')).toBe('read');
  const { pings } = scene;
  scene.answeredAt = () => performance.now();
  await sleep(2_500);
  expect(scene.pings).toBe(pings);
  // Nine seconds twice with a statement between: no break. Eleven seconds without one: a break, even if a statement is
  // answered afterwards.
  for (const [seconds, sound] of [
    [9_000, true],
    [9_000, true],
    [11_000, false],
  ] as const) {
    scene.ahead += seconds;
    const at = performance.now() + scene.ahead;
    scene.answeredAt = () => at;
    expect(scene.continuity.sound).toBe(sound);
  }
  expect(await scene.continuity.during(async () => 'read')).toBe('read');
  expect(scene.asked).toHaveLength(2);
});
