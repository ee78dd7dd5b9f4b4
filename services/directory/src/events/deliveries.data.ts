import type { Sql } from '@ostiary/database';
import {
  type ConfirmedEvent,
  confirmedEvents,
  type UndeliveredEvents,
  undeliveredEvents,
} from '@ostiary/events';
import type { EventDeliveries } from './domain/deliveries.ts';

const undelivered = undeliveredEvents('directory');

// The subject is cast to uuid: a comparison as text has no index and would read all users of the tenant for each
// event.
const confirmed = confirmedEvents(
  'directory',
  `CASE WHEN e.type LIKE 'user.%' THEN
          (SELECT u.active FROM directory.users u WHERE u.tenant = e.tenant AND u.id = e.subject::uuid)
        WHEN e.type LIKE 'tenant.%' THEN
          (SELECT t.status = 'active' FROM directory.tenants t WHERE t.id = e.subject)
        ELSE true END`,
  `CASE WHEN e.type LIKE 'user.%' THEN coalesce(
          (SELECT u.departure FROM directory.users u WHERE u.tenant = e.tenant AND u.id = e.subject::uuid),
          (SELECT d.departure FROM directory.deleted_resources d WHERE d.tenant = e.tenant AND d.id = e.subject::uuid)) END`,
);

export class PostgresEventDeliveries implements EventDeliveries {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  undelivered(consumer: string, after?: string): Promise<UndeliveredEvents> {
    return undelivered(this.#sql, consumer, after);
  }

  confirmed(eventIds: readonly string[]): Promise<ConfirmedEvent[]> {
    return confirmed(this.#sql, eventIds);
  }
}
