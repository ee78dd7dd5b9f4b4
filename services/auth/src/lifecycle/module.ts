import { conferring } from '@ostiary/access';
import { tenantPolicyOf } from '@ostiary/events';
import { repeat, type Transaction } from '@ostiary/service';
import type { Access } from '../access/module.ts';
import type { ClientServices } from '../clients/module.ts';
import type { Identity, IdentityPorts } from '../identity/module.ts';
import { createReencryption, nodesOf, pruneExpired } from '../maintenance.ts';
import type { OAuth } from '../oauth/module.ts';
import { type District, ofServices, type Platform, type Process, type Stop } from '../platform/module.ts';
import type { Signals } from '../signals/module.ts';
import type { Tenancy } from '../tenancy/module.ts';
import { DirectoryContinuity } from './directory-events/continuity.data.ts';
import { createDirectoryEvents } from './directory-events/directory-events.jobs.ts';
import { eventRoutes } from './directory-events/http/internal-events.ts';
import { ProjectedSubjects } from './directory-events/subjects.ts';
import { nodeRoutes } from './maintenance/http/internal-nodes.ts';
import { startLastUses } from './maintenance/last-uses.jobs.ts';
import { hasOffboardingReport, PostgresOffboardingReports } from './offboarding/data/departures.ts';
import { closeAccessPathsOf } from './offboarding/data/doors.ts';
import { OffboardingMetrics } from './offboarding/departure-metrics.jobs.ts';
import {
  closeAccessPaths,
  endSignIns,
  type OffboardingPorts,
  roleRemoved,
} from './offboarding/domain/departure.ts';
import { offboardingResolvers } from './offboarding/graph/departures.ts';
import { offboardingLoaders } from './offboarding/graph/loaders.ts';

type LifecycleDependencies = Process &
  Platform &
  Tenancy &
  Access &
  ClientServices &
  Identity &
  OAuth &
  Signals & {
    /**
     * Maximum time in milliseconds without a database answer before `DirectoryContinuity` assumes a break. Tests that
     * suspend the process raise it.
     */
    breakMs?: number | undefined;
  };

/** Rights that the modifying routes of this district confer. The process does not start with a route that is missing. */
export const lifecycleConferrals = conferring(
  'nothing',
  'platform',
  ofServices('events', 'events/missing', 'tenants/:tenant/nodes'),
);

export type Lifecycle = ReturnType<typeof createServices>;

export function createLifecycle(o: LifecycleDependencies) {
  const services = createServices(o);
  const deps = { ...o, ...services };
  const district: District = {
    routes: {
      internal(app) {
        eventRoutes(app, deps);
        nodeRoutes(app, deps);
      },
    },
    graph: () => ({
      resolvers: [offboardingResolvers],
      loaders: [offboardingLoaders({ offboardingReports: new PostgresOffboardingReports(o.database.sql) })],
    }),
    start: () => startJobs(deps),
  };
  return { services, district };
}

/** Starts the jobs that process events, remove expired data, and re-encrypt values under former keys. */
function startJobs(o: LifecycleDependencies & Lifecycle): Stop[] {
  const { database, directoryEvents, env, kit } = o;
  const { log } = kit;
  const reencryption = createReencryption(o);
  directoryEvents.start();
  return [
    () => directoryEvents.stop(),
    startLastUses(log, [o.apiTokenUses, o.serviceAccountKeyUses, o.clientUses, o.signInTally]),
    repeat({
      name: 'reencryption',
      everyMs: 30_000,
      jitter: true,
      log,
      work: async (signal) => void (await reencryption.run(signal)),
    }),
    repeat({
      name: 'pruning',
      everyMs: 60_000,
      jitter: true,
      log,
      work: async (signal) =>
        void (await pruneExpired(database.sql, {
          securityLogSeconds: env.SECURITY_LOG_RETENTION_SECONDS,
          signInDays: tenantPolicyOf({}, env.TENANT_POLICY_DEFAULTS).signInRetentionDays,
          deliveredSeconds: env.DELIVERED_RETENTION_SECONDS,
          deadSeconds: env.DEAD_DELIVERY_RETENTION_SECONDS,
          signal,
        })),
    }),
  ];
}

function createServices(o: LifecycleDependencies) {
  const { breakMs, database, directory, env, kit } = o;
  /** Revokes access when a user is offboarded or loses a right. */
  const departure: OffboardingPorts = {
    ...o.ownership,
    subjectStore: o.subjectStore,
    signInEnds: o.signInEnds,
    accessPaths: { close: closeAccessPathsOf },
    offboardingLog: { has: hasOffboardingReport },
  };
  const departures = new OffboardingMetrics(kit);
  const subjects = new ProjectedSubjects({
    ...o,
    departure,
    onOffboarding: (departed) => departures.closed([departed]),
  });
  const continuity = new DirectoryContinuity({ database, directory, log: kit.log, breakMs });
  // Access is granted only after missed offboarding events are processed.
  kit.health.check('departures', () => continuity.caughtUp(), {
    impairs:
      'Users cannot sign in, and tokens are neither issued, refreshed nor confirmed. Revocation works.',
  });
  return {
    departure,
    departures,
    subjects,
    continuity,
    directoryEvents: createDirectoryEvents(o, { ...o, departures, subjects }),
    nodes: (tenant: string, ids: readonly string[]) =>
      nodesOf(database.sql, tenant, ids, env.SESSION_IDLE_SECONDS),
    endIssued: async (tx: Transaction, tenant: string, subjectId: string) =>
      (await closeAccessPaths(tx, tenant, subjectId, roleRemoved, departure)).revocations,
    accessEnding: {
      endEverything: (tx, tenant, subjectId, reason) =>
        closeAccessPaths(tx, tenant, subjectId, reason, departure),
      endSignIns: (tx, tenant, who, reason) => endSignIns(tx, tenant, who, reason, departure),
    } satisfies IdentityPorts['accessEnding'],
  };
}
