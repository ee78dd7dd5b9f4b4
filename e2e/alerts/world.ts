import { eventually } from '@ostiary/service/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { unique } from '../support/demo.ts';
import { briefStaleness, deliversHere, type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';
import { collect, type Snapshot, type Target } from './exposition.ts';
import type { Recording } from './recording.ts';

export const services = ['auth', 'directory', 'provisioning', 'gateway'] as const;

/** System in which the tests cause real faults. */
export interface World {
  own: OwnSystem;
  /**
   * Runs SQL as the administrator of PostgreSQL. Each call opens a connection, because PostgreSQL is stopped in
   * between.
   */
  sql(text: string, values?: unknown[]): Promise<pg.QueryResult>;
  redis: Redis;
  scim: ScimClient;
  token: string;
  targets: Target[];
  end(): Promise<void>;
}

export async function createWorld(): Promise<World> {
  const own = await ownSystem({ fresh: true, env: briefStaleness, of: { auth: deliversHere } });
  const { system, demo } = own;
  const redis = new Redis(system.redisUrl, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  const { demo: tenant } = demo.tenants;
  return {
    own,
    sql: async (text, values) => {
      const client = new pg.Client({ connectionString: system.databaseUrl });
      client.on('error', () => undefined);
      await client.connect();
      try {
        return await client.query(text, values);
      } finally {
        await client.end();
      }
    },
    redis,
    scim: new ScimClient(tenant, tenant.clients.scim.token),
    token: await adminToken(tenant),
    targets: services.map((name) => ({ instance: name, url: system.metricsUrls[name] })),
    end: async () => {
      redis.disconnect();
      // Some faults leave rows that no process would write, so the final consistency checks are skipped.
      await own.stop({ unsound: true });
    },
  };
}

/** Collects until `shows` accepts a snapshot. @throws Error with `what` in its message */
export async function collectUntil(
  what: string,
  targets: readonly Target[],
  shows: (snapshot: Snapshot) => boolean,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<Snapshot> {
  const look = async (): Promise<Snapshot> => {
    await meanwhile();
    return collect(targets);
  };
  return eventually(look, shows).catch((error: unknown) => {
    throw new Error(`Never so: ${what}`, { cause: error });
  });
}

export interface Fault {
  targets: readonly Target[];
  make(): Promise<unknown>;
  /** Request that is repeated until the fault shows. */
  meanwhile?(): Promise<unknown>;
  shows(snapshot: Snapshot, before: Snapshot): boolean;
  /** Further check while the fault lasts. */
  lasting?(): Promise<unknown>;
  heal(): Promise<unknown>;
  healed(snapshot: Snapshot): boolean;
}

/** Causes a fault, records the metrics, and ends the fault. */
export async function recordingOf(what: string, fault: Fault): Promise<Recording> {
  const before = await collect(fault.targets);
  const start = performance.now();
  await fault.make();
  let during: Snapshot;
  let seconds: number;
  try {
    during = await collectUntil(
      what,
      fault.targets,
      (snapshot) => fault.shows(snapshot, before),
      fault.meanwhile,
    );
    seconds = (performance.now() - start) / 1_000;
    await fault.lasting?.();
  } finally {
    await fault.heal();
  }
  const after = await collectUntil(`${what}, healed`, fault.targets, fault.healed);
  return { before, during, seconds, after };
}

/** Creates a user in the directory. */
export async function hire({ scim }: World): Promise<{ id: string; userName: string; password: string }> {
  const user = { userName: unique('alerted'), password: unique('correct horse battery') };
  const { id } = await scim.createUser(user);
  return { id, ...user };
}

export const dismiss = ({ scim }: World, id: string): Promise<unknown> =>
  scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);
