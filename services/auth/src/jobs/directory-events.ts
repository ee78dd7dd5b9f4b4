import type { Transaction } from '@ostiary/database';
import { type AfterCommit, type DomainEvent, EventConsumer, type EventOfType } from '@ostiary/events';
import { activateCredential } from '../data/credentials.ts';
import type { RevocationJournal } from '../data/revocation-journal.ts';
import type { SubjectNews } from '../domain/departure.ts';
import { profileOf } from '../domain/directory-user.ts';
import type { Foundation } from '../domain/ports.ts';
import type { SubjectRegister } from '../domain/subjects.ts';
import type { TenantRegister } from '../domain/tenants.ts';

type UserEvent = EventOfType<
  'user.created' | 'user.updated' | 'user.deactivated' | 'user.reactivated' | 'user.deleted'
>;
type TenantEvent = EventOfType<'tenant.created' | 'tenant.updated'>;

export interface DirectoryEventPorts {
  subjects: Pick<SubjectRegister, 'takeNews'>;
  tenants: Pick<TenantRegister, 'takeNews' | 'forget'>;
  revocations: Pick<RevocationJournal, 'publish'>;
}

/** The consumer of the directory's events, not yet started: users and tenants concern us, groups don't. */
export function createDirectoryEvents(
  foundation: Pick<Foundation, 'kit' | 'env' | 'database'>,
  ports: DirectoryEventPorts,
): EventConsumer {
  const { kit, env, database } = foundation;
  return new EventConsumer({
    database,
    schema: 'auth',
    consumer: 'auth',
    redisUrl: env.REDIS_URL,
    prefix: env.REDIS_PREFIX,
    log: kit.log,
    metrics: kit.metrics,
    handle: (event, tx) => handleDirectoryEvent(event, tx, ports),
  });
}

/** The effect of one event, in its transaction; what it returns is to be done after the commit. */
export async function handleDirectoryEvent(
  event: DomainEvent,
  tx: Transaction,
  ports: DirectoryEventPorts,
): Promise<AfterCommit | undefined> {
  switch (event.type) {
    case 'user.created':
    case 'user.updated':
    case 'user.deactivated':
    case 'user.reactivated':
    case 'user.deleted':
      return userChanged(event, tx, ports);
    case 'tenant.created':
    case 'tenant.updated':
      return tenantChanged(event, tx, ports);
    default:
      return undefined;
  }
}

async function userChanged(
  event: UserEvent,
  tx: Transaction,
  ports: DirectoryEventPorts,
): Promise<AfterCommit> {
  const { tenant, payload } = event;
  const revocations = await ports.subjects.takeNews(tx, tenant, newsFromEvent(event));
  // After the person, because a deletion forgets their passwords. Whether the news was new doesn't matter: tickets
  // have an order of their own.
  if (payload.credentialTicket !== undefined && event.type !== 'user.deleted') {
    await activateCredential(tx, tenant, payload.credentialTicket, payload.id);
  }
  return () => ports.revocations.publish(revocations);
}

function newsFromEvent(event: UserEvent): SubjectNews {
  const { payload } = event;
  return {
    id: event.subject,
    version: BigInt(event.version),
    active: payload.active && event.type !== 'user.deactivated',
    deleted: event.type === 'user.deleted',
    reactivated: event.type === 'user.reactivated',
    profile: profileOf(payload),
  };
}

async function tenantChanged(
  event: TenantEvent,
  tx: Transaction,
  ports: DirectoryEventPorts,
): Promise<AfterCommit> {
  const { name, status } = event.payload;
  const revocations = await ports.tenants.takeNews(tx, {
    id: event.subject,
    name,
    status,
    version: BigInt(event.version),
  });
  return async () => {
    ports.tenants.forget(event.subject);
    await ports.revocations.publish(revocations);
  };
}
