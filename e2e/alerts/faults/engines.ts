import { type Snapshot, sampled } from '../exposition.ts';
import type { Recording } from '../recording.ts';
import { dismiss, hire, recordingOf, services, type World } from '../world.ts';

const withDatabase = ['auth', 'directory', 'provisioning'] as const;

/** Reports whether the dependency has the state `up` for all these processes. */
export const areUp = (snapshot: Snapshot, names: readonly string[], dependency: string, up: 0 | 1): boolean =>
  names.every((service) => sampled(snapshot, 'dependency_up', { service, dependency }) === up);

export const areReady = (snapshot: Snapshot): boolean =>
  services.every((service) => sampled(snapshot, 'process_ready', { service }) === 1);

const withoutMistakes = (asked: Promise<unknown>): Promise<unknown> => asked.catch(() => undefined);

/** Stops PostgreSQL: sign-ins, SCIM requests, probes and internal requests fail with 503. */
export function postgresqlAway({ own, scim, targets }: World): Promise<Recording> {
  const { system, demo } = own;
  const begin = `${demo.tenants.demo.issuer}/authorize?client_id=${demo.tenants.demo.clients.web.client_id}`;
  const count = (snapshot: Snapshot, service: string, status: string): number =>
    sampled(snapshot, 'http_request_duration_seconds_count', { service, status }) ?? 0;
  return recordingOf('PostgreSQL is away', {
    targets,
    make: () => system.stop('postgres'),
    meanwhile: () =>
      Promise.all([
        ...[1, 2, 3].map(() => withoutMistakes(fetch(begin, { redirect: 'manual' }))),
        withoutMistakes(scim.call('GET', '/Users?count=1')),
        ...services.map((name) => withoutMistakes(fetch(`${system.urls[name]}/readyz`))),
      ]),
    shows: (now, before) =>
      areUp(now, withDatabase, 'postgresql', 0) &&
      areUp(now, ['gateway'], 'directory', 0) &&
      areUp(now, ['gateway'], 'provisioning', 0) &&
      withDatabase.every((name) => count(now, name, '503') - count(before, name, '503') > 8) &&
      (sampled(now, 'auth_sign_ins_total', { outcome: 'unavailable' }) ?? 0) > 8,
    heal: () => system.start('postgres'),
    healed: areReady,
  });
}

/** Stops Redis and deactivates users in the meantime. */
export function redisAway(world: World): Promise<Recording> {
  const { system } = world.own;
  const leavingUsers: string[] = [];
  const failures = (snapshot: Snapshot): number =>
    sampled(snapshot, 'outbox_failures_total', { step: 'send' }) ?? 0;
  const closed = (snapshot: Snapshot): number => sampled(snapshot, 'departure_close_seconds_count') ?? 0;
  const published = (snapshot: Snapshot): number => sampled(snapshot, 'departure_publish_seconds_count') ?? 0;
  return recordingOf('Redis is away', {
    targets: world.targets,
    make: async () => {
      for (let n = 0; n < 3; n += 1) leavingUsers.push((await hire(world)).id);
      await system.stop('valkey');
      await Promise.all([hire(world), ...leavingUsers.map((id) => dismiss(world, id))]);
    },
    shows: (now, before) =>
      areUp(now, services, 'redis', 0) &&
      areUp(now, ['gateway'], 'live', 0) &&
      failures(now) - failures(before) > 1 &&
      closed(now) - closed(before) - (published(now) - published(before)) > 0,
    heal: () => system.start('valkey'),
    healed: (now) => areReady(now) && areUp(now, services, 'redis', 1) && areUp(now, ['gateway'], 'live', 1),
  });
}
