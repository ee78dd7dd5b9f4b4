import pg from 'pg';
import type { Departures } from './departures.ts';
import {
  type DeliveryRow,
  deliveryRows,
  type Notified,
  notifiedTo,
  openDeliveries,
} from './receivers/notified.ts';
import type { Receivers } from './receivers/receivers.ts';

/**
 * Read-only queries about the result of a run. Each opens its own connection, because the database may be unavailable.
 */
export class Aftermath {
  readonly #databaseUrl: string;

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  /** Returns the number of deliveries older than 10 seconds; undefined while the database is unavailable. */
  async waitingDeliveries(): Promise<string | undefined> {
    const rows = await this.#rows<{ count: string }>(
      `SELECT count(*)::text AS count FROM directory.outbox_deliveries d JOIN directory.outbox_events e ON e.id = d.event_id
        WHERE e.occurred_at < now() - interval '10 seconds'`,
    );
    return rows[0]?.count;
  }

  /** Returns the users whose departures did not have exactly one effect: one epoch and one entry of the feed each. */
  async wrongEffects(departuresOf: Departures['departuresOf']): Promise<string[]> {
    const rows = await this.#rows<{ tenant: string; id: string; epoch: number; entries: number[] | null }>(
      `SELECT s.tenant, s.id, s.epoch,
              (SELECT array_agg(r.epoch ORDER BY r.epoch) FROM auth.revocations r
                WHERE r.tenant = s.tenant AND r.kind = 'subject' AND r.key = s.id::text) AS entries
         FROM auth.subjects s`,
    );
    const found = new Map(rows.map((row) => [`${row.tenant} ${row.id}`, row]));
    return [...departuresOf].flatMap(([key, { count }]) => {
      const row = found.get(key);
      const expected = Array.from({ length: count }, (_, index) => index + 1);
      const entries = row?.entries ?? [];
      return row?.epoch === count && String(entries) === String(expected)
        ? []
        : [`${key}: ${count} departures, epoch ${row?.epoch}, entries ${entries.join(' ')}`];
    });
  }

  /** Returns the record of each receiver after no delivery is open, or after `patienceMs`. */
  async notified(
    receivers: Receivers,
    { changes, left }: Pick<Departures, 'changes' | 'left'>,
    patienceMs: number,
  ): Promise<Notified[]> {
    await receivers.settle(
      async () => (await this.#rows<{ count: number }>(openDeliveries))[0]?.count,
      patienceMs,
    );
    const rows = await this.#rows<DeliveryRow>(deliveryRows);
    return receivers.all.map((receiver) => notifiedTo(receiver, changes, left, rows));
  }

  async #rows<R extends object>(statement: string): Promise<R[]> {
    const db = new pg.Client({ connectionString: this.#databaseUrl });
    db.on('error', () => undefined);
    try {
      await db.connect();
      return (await db.query<R>(statement)).rows;
    } catch {
      return [];
    } finally {
      await db.end().catch(() => undefined);
    }
  }
}
