import type { Revocation } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import {
  type AfterCommit,
  confirmedByDirectory,
  type DomainEvent,
  EventConsumer,
  type EventOfType,
  inRounds,
} from '@ostiary/events';
import {
  eventSignatures,
  type HttpPeer,
  type Logger,
  type ServiceKit,
  type Transaction,
} from '@ostiary/service';
import type { GroupOwners, RoleProjection } from '../../access/index.ts';
import { runFor } from '../../platform/index.ts';
import type { DirectoryFacts, ReportedOffboarding, Tenants } from '../../tenancy/index.ts';
import {
  type ChangedUsers,
  profileOf,
  type RevocationJournal,
  type SubjectStore,
  type UserChange,
  type UserChangeSource,
} from '../../tenancy/index.ts';
import type { OffboardingMetrics } from '../offboarding/departure-metrics.jobs.ts';
import { applyPlainChanges, isPlain } from '../offboarding/domain/departure.ts';
import type { ProjectedSubjects } from './subjects.ts';

type UserEvent = EventOfType<
  'user.created' | 'user.updated' | 'user.deactivated' | 'user.reactivated' | 'user.deleted'
>;
type TenantEvent = EventOfType<'tenant.created' | 'tenant.updated'>;

export interface DirectoryEventPorts {
  subjects: ProjectedSubjects;
  tenants: Tenants;
  stagedPasswords: {
    /**
     * Activates a staged password and revokes everything that depends on the previous one. The caller publishes the
     * returned revocations after the commit.
     */
    activateIn(tx: Transaction, tenant: string, ticket: string, subjectId: string): Promise<Revocation[]>;
  };
  revocations: RevocationJournal;
  roleProjection: RoleProjection;
  groupOwners: GroupOwners;
  departures: OffboardingMetrics;
  directoryFacts: DirectoryFacts;
  subjectStore: SubjectStore;
  changedUsers: ChangedUsers;
}

/**
 * Creates the consumer of directory events without starting it. Group events matter for groups with roles, and for
 * receivers that subscribe to them.
 */
export function createDirectoryEvents(
  foundation: {
    kit: ServiceKit;
    env: Parameters<typeof eventSignatures>[0] & { REDIS_URL: string; REDIS_PREFIX: string };
    database: Database<unknown>;
    directory: HttpPeer;
  },
  ports: DirectoryEventPorts,
): EventConsumer {
  const { kit, env, database, directory } = foundation;
  return new EventConsumer({
    database,
    schema: 'auth',
    consumer: 'auth',
    redisUrl: env.REDIS_URL,
    prefix: env.REDIS_PREFIX,
    signatures: eventSignatures(env),
    log: kit.log,
    metrics: kit.metrics,
    confirm: confirmedByDirectory(directory, (events) =>
      grantingEvents(ports.subjectStore, database.sql, events),
    ),
    handle: (events, tx) => handleDirectoryEvents(events, tx, ports, kit.log),
  });
}

/**
 * Returns the ids of events that grant access: a reactivation, the activation of a password or of a tenant, or a plain
 * event with an active user who is stored as inactive.
 */
async function grantingEvents(
  subjectStore: SubjectStore,
  tx: Transaction,
  events: readonly DomainEvent[],
): Promise<ReadonlySet<string>> {
  const granting = new Set<string>();
  const plain: UserEvent[] = [];
  for (const event of events) {
    if (isTenantEvent(event) ? event.payload.status === 'active' : isReturnOrPassword(event))
      granting.add(event.id);
    else if (isUserEvent(event) && userChangeFrom(event).active) plain.push(event);
  }
  const gone = await subjectStore.storedAsGone(tx, plain);
  for (const { id, tenant, subject } of plain) if (gone.has(`${tenant}/${subject}`)) granting.add(id);
  return granting;
}

const isReturnOrPassword = (event: DomainEvent): boolean =>
  isUserEvent(event) &&
  event.type !== 'user.deleted' &&
  (event.type === 'user.reactivated' || event.payload.credentialTicket !== undefined);

/** Applies events in a transaction. The caller runs the returned function after the commit. */
export async function handleDirectoryEvents(
  events: readonly DomainEvent[],
  tx: Transaction,
  ports: DirectoryEventPorts,
  log?: Logger,
): Promise<AfterCommit> {
  const revocations: Revocation[] = [];
  const departures: ReportedOffboarding[] = [];
  const followUps: AfterCommit[] = [];
  await ports.directoryFacts.publish(tx, events);
  for (const round of inRounds(events)) {
    const people = round.filter(isUserEvent);
    for (const { plain, others } of inLockOrder(people)) {
      if (plain.length > 0) await applyPlainChanges(ports, tx, plain);
      for (const { tenant, change } of others) {
        const applied = await ports.subjects.applyChange(tx, tenant, change);
        revocations.push(...applied.revocations);
        if (applied.reported) departures.push(applied.reported);
      }
    }
    // Runs after the user events, because a deletion deletes the passwords. It runs for outdated events too, because
    // tickets have their own order.
    for (const event of inOrder(people)) revocations.push(...(await activate(event, tx, ports)));
    for (const event of round.filter(isTenantEvent)) followUps.push(await tenantChanged(event, tx, ports));
  }
  for (const event of events) {
    if (event.type !== 'group.deleted') continue;
    revocations.push(...(await ports.subjects.groupGone(tx, event.tenant, event.subject, event.actor)));
  }
  const toSettle = [
    [ports.roleProjection, await ports.roleProjection.note(tx, events)],
    [ports.groupOwners, await ports.groupOwners.note(tx, events)],
  ] as const;
  return async () => {
    // Not awaited: other events need not wait for the directory. Failures stay recorded, and the job retries them.
    for (const [asking, tenants] of toSettle) {
      for (const tenant of tenants) {
        asking
          .settle(tenant)
          .catch((error) =>
            log?.debug(
              { event: 'directory_events.members_deferred', tenant, err: error },
              'Group members could not be requested; retrying',
            ),
          );
      }
    }
    ports.departures.closed(departures);
    if (await ports.revocations.publish(revocations)) ports.departures.published(departures);
    // Not awaited: no process caches a new user, and the feed reports offboarded users.
    const changed = events.filter(({ type }) => type === 'user.updated');
    void ports.changedUsers.announce(changed.map(({ tenant, subject: id }) => ({ tenant, id })));
    for (const followUp of followUps) await followUp();
  };
}

const userEvents: ReadonlySet<string> = new Set<UserEvent['type']>([
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.deleted',
]);
const tenantEvents: ReadonlySet<string> = new Set<TenantEvent['type']>(['tenant.created', 'tenant.updated']);

const isUserEvent = (event: DomainEvent): event is UserEvent => userEvents.has(event.type);
const isTenantEvent = (event: DomainEvent): event is TenantEvent => tenantEvents.has(event.type);

/**
 * Rows of subjects are inserted and locked in one order everywhere; otherwise two batches could deadlock. The order
 * covers inserts and offboarding: a batch that stores user A and offboards B can meet one that does the reverse.
 */
const inOrder = (events: readonly UserEvent[]): UserEvent[] =>
  events.toSorted((a, b) => compare(a.tenant, b.tenant) || compare(a.subject, b.subject));

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

interface TenantUserChange {
  tenant: string;
  change: UserChange;
}

/**
 * Groups the events in lock order: each run has plain events, which one statement stores, followed by others up to the
 * next plain one.
 */
function inLockOrder(
  events: readonly UserEvent[],
): { plain: TenantUserChange[]; others: TenantUserChange[] }[] {
  const runs: { plain: TenantUserChange[]; others: TenantUserChange[] }[] = [];
  for (const event of inOrder(events)) {
    const one = { tenant: event.tenant, change: userChangeFrom(event) };
    const plain = isPlain(one.change);
    let run = runs.at(-1);
    if (!run || (plain && run.others.length > 0)) {
      run = { plain: [], others: [] };
      runs.push(run);
    }
    (plain ? run.plain : run.others).push(one);
  }
  return runs;
}

async function activate(
  { type, tenant, payload, actor }: UserEvent,
  tx: Transaction,
  { stagedPasswords }: DirectoryEventPorts,
): Promise<Revocation[]> {
  const { id, credentialTicket } = payload;
  if (credentialTicket === undefined || type === 'user.deleted') return [];
  return runFor(actor, () => stagedPasswords.activateIn(tx, tenant, credentialTicket, id));
}

function userChangeFrom(event: UserEvent): UserChange {
  const { payload } = event;
  return {
    id: event.subject,
    version: BigInt(event.version),
    active: payload.active && event.type !== 'user.deactivated',
    deleted: event.type === 'user.deleted',
    restorable: payload.restorableUntil !== undefined,
    reactivated: event.type === 'user.reactivated',
    profile: profileOf(payload),
    departure: payload.departure,
    source: sourceOf(event),
  };
}

const sourceOf = ({ id, type, occurredAt, actor, traceparent }: DomainEvent): UserChangeSource => ({
  eventId: id,
  type,
  occurredAt,
  actor,
  ...(traceparent !== undefined && { traceparent }),
});

async function tenantChanged(
  event: TenantEvent,
  tx: Transaction,
  ports: DirectoryEventPorts,
): Promise<AfterCommit> {
  const { name, status, policy } = event.payload;
  const revocations = await ports.tenants.applyChange(tx, {
    id: event.subject,
    name,
    status,
    policy,
    version: BigInt(event.version),
    actor: event.actor,
  });
  return async () => {
    ports.tenants.forget(event.subject);
    await ports.revocations.publish(revocations);
  };
}
