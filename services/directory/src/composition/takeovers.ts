import type { Database } from '@ostiary/database';
import { Counter, type ServiceKit } from '@ostiary/service';

import type { PrismaClient } from '../database/generated/client.ts';
import { missingEvents } from '../recovery/data/missing-events.ts';
import type { AcknowledgedChanges } from '../recovery/domain/acknowledged.ts';
import { Takeover } from '../recovery/domain/takeover.ts';
import type { Directory } from './directory.ts';
import { restoredDirectory } from './restored.ts';

/** Checks after each failover of the database whether it lacks changes that this process acknowledged. */
export function watchTakeovers(o: {
  kit: ServiceKit;
  database: Database<PrismaClient>;
  directory: Directory;
  acknowledged: AcknowledgedChanges;
}): Takeover {
  const lost = new Counter({
    name: 'directory_lost_changes_total',
    help: 'Number of acknowledged changes that are missing in the database after a failover',
    registers: [o.kit.metrics],
  });
  const takeover = new Takeover({
    acknowledged: o.acknowledged,
    missing: (ids) => missingEvents(o.database.sql, ids),
    directory: restoredDirectory(o.directory, o.database.sql),
    onLost: (count) => lost.inc(count),
    log: o.kit.log,
  });
  o.database.onTermChange(() => takeover.noticed());
  return takeover;
}
