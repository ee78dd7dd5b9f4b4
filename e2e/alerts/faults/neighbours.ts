import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@ostiary/service/testing';
import { graph, usersQuery } from '../../support/graph.ts';
import { RoleStory } from '../../support/roles.ts';
import { adminToken } from '../../support/sign-in.ts';
import { collect, type Snapshot, sampled } from '../exposition.ts';
import type { Recording } from '../recording.ts';
import { collectUntil, dismiss, hire, recordingOf, type World } from '../world.ts';
import { areReady, areUp } from './engines.ts';

const isGone = (snapshot: Snapshot, service: string): boolean =>
  sampled(snapshot, 'process_start_time_seconds', { service }) === undefined;

/** Stops auth and deactivates a user. The event is backdated by ten minutes, so that the offboarding is late. */
export async function authAway(world: World, lasting: () => Promise<unknown>): Promise<Recording> {
  const { system } = world.own;
  const { id } = await hire(world);
  const others = ['directory', 'provisioning', 'gateway'];
  const recording = await recordingOf('auth is away', {
    targets: world.targets,
    make: async () => {
      await system.stop('auth');
      await dismiss(world, id);
      await world.sql(
        `UPDATE directory.outbox_events SET occurred_at = now() - interval '10 minutes'
         WHERE id IN (SELECT event_id FROM directory.outbox_deliveries WHERE consumer = 'auth')`,
      );
    },
    shows: (now) =>
      isGone(now, 'auth') &&
      areUp(now, others, 'auth', 0) &&
      areUp(now, others, 'revocations', 0) &&
      others.every((service) => (sampled(now, 'revocation_list_age_seconds', { service }) ?? 0) > 5) &&
      (sampled(now, 'outbox_age_seconds', { consumer: 'auth' }) ?? 0) > 30,
    lasting,
    heal: () => system.start('auth'),
    healed: (now) =>
      areReady(now) &&
      areUp(now, others, 'auth', 1) &&
      areUp(now, others, 'revocations', 1) &&
      (sampled(now, 'outbox_age_seconds', { consumer: 'auth' }) ?? 1) < 1,
  });
  return recording;
}

/** Records the metrics of an offboarding that auth processed late: from before the outage until it is processed. */
export async function lateOffboarding(world: World, { before }: Recording): Promise<Recording> {
  const closed = (now: Snapshot): boolean =>
    (sampled(now, 'departure_close_seconds_count') ?? 0) > 0 &&
    (sampled(now, 'outbox_age_seconds', { consumer: 'auth' }) ?? 1) < 1;
  const during = await collectUntil('the departure closed late', world.targets, closed);
  // The new process of auth counts from 0.
  const zeroed = new Map(
    [...before].map(([key, sample]) => [
      key,
      sample.name.startsWith('departure_close') ? { ...sample, value: 0 } : sample,
    ]),
  );
  return { before: zeroed, during, seconds: 5, after: during };
}

/**
 * Stops the directory: the gateway cannot reach the subgraph, and membership checks of groups with roles stay pending.
 */
export async function directoryAway(world: World): Promise<Recording> {
  const { system, demo } = world.own;
  // After an outage of PostgreSQL, auth processes missed events before it issues tokens.
  const issues = () =>
    adminToken(demo.tenants.demo).then(
      () => true,
      () => false,
    );
  await eventually(issues);
  const roles = await RoleStory.begin(demo, demo.tenants.demo);
  const { id } = await hire(world);
  const { body } = await world.scim.call('POST', '/Groups', roles.group([id]));
  await roles.give(body.id, { managedBySources: true });
  const failures = (now: Snapshot): number =>
    sampled(now, 'gateway_subgraph_failures_total', { subgraph: 'directory' }) ?? 0;
  return recordingOf('the directory is away', {
    targets: world.targets,
    make: async () => {
      await system.stop('directory');
      await world.sql(
        `INSERT INTO auth.membership_checks (id, tenant, everybody, member_ids, created_at)
         VALUES ($1, 'demo', false, ARRAY[$2]::uuid[], now() - interval '10 minutes')`,
        [randomUUID(), id],
      );
    },
    meanwhile: () => graph(demo, world.token, usersQuery, { first: 1 }).catch(() => undefined),
    shows: (now, before) =>
      isGone(now, 'directory') &&
      areUp(now, ['auth', 'provisioning', 'gateway'], 'directory', 0) &&
      failures(now) - failures(before) > 3 &&
      (sampled(now, 'group_role_checks_age_seconds') ?? 0) > 60,
    heal: () => system.start('directory'),
    healed: (now) =>
      areReady(now) &&
      areUp(now, ['auth', 'provisioning', 'gateway'], 'directory', 1) &&
      (sampled(now, 'group_role_checks_age_seconds') ?? 1) === 0,
  });
}

/**
 * Stops provisioning and the gateway, then starts the gateway, which is not ready until it has reached every service.
 */
export async function edgeAway(world: World): Promise<Record<'edge' | 'gateway alone', Recording>> {
  const { system } = world.own;
  let starting: Promise<void> | undefined;
  const edge = await recordingOf('provisioning and the gateway are away', {
    targets: world.targets,
    make: () => Promise.all([system.stop('provisioning'), system.stop('gateway')]),
    shows: (now) => isGone(now, 'provisioning') && isGone(now, 'gateway'),
    heal: async () => {
      starting = system.start('gateway');
      // The failure is reported by `await starting` below; this handler prevents an unhandled rejection.
      starting.catch(() => undefined);
    },
    healed: (now) => sampled(now, 'process_ready', { service: 'gateway' }) === 0,
  });
  const alone = edge.after;
  try {
    await collectUntil('the gateway waits for provisioning', world.targets, (now) =>
      areUp(now, ['gateway'], 'startup', 0),
    );
  } finally {
    await system.start('provisioning');
    await starting;
  }
  const after = await collectUntil('all of the edge is ready', world.targets, areReady);
  return {
    edge: { ...edge, after },
    'gateway alone': { before: edge.before, during: alone, seconds: 1, after },
  };
}

/** Stops provisioning, then crashes it repeatedly. */
export async function restarts(world: World): Promise<Record<'provisioning' | 'restarts', Recording>> {
  const { system } = world.own;
  const seen: Snapshot[] = [await collect(world.targets)];
  const startedAt = (now: Snapshot | undefined): number =>
    (now && sampled(now, 'process_start_time_seconds', { service: 'provisioning' })) ?? 0;
  const away = await recordingOf('provisioning is away', {
    targets: world.targets,
    make: () => system.stop('provisioning'),
    shows: (now) => isGone(now, 'provisioning') && areUp(now, ['gateway'], 'provisioning', 0),
    heal: () => system.start('provisioning'),
    healed: areReady,
  });
  seen.push(away.after);
  while (seen.length < 4) {
    // The start time has a resolution of one second.
    await sleep(500);
    await system.kill('provisioning', 'SIGKILL');
    seen.push(
      await collectUntil(
        'provisioning is started again',
        world.targets,
        (now) => startedAt(now) > startedAt(seen.at(-1)),
      ),
    );
  }
  const [before = new Map(), ...moments] = seen;
  const during = moments.at(-1) ?? before;
  return { provisioning: away, restarts: { before, during, seconds: 1, after: during, moments } };
}
