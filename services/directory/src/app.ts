import { requireRouteConferrals, type TokenVerifier } from '@ostiary/access';
import type { Database } from '@ostiary/database';
import { createOutbox, liveConsumer, type TenantPolicySettings } from '@ostiary/events';
import { createHttp, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { type Asking, runAskedBy } from './audit/domain/audit-context.ts';
import { createDirectory } from './composition/directory.ts';
import { internalSurface } from './composition/internal-surface.ts';
import { routeConferrals } from './composition/route-conferrals.ts';
import { createStore } from './composition/store.ts';
import { directorySubgraph } from './composition/subgraph.ts';
import type { PrismaClient } from './database/generated/client.ts';
import { joiningTransactions } from './database/joined-transactions.ts';
import { eventConsumers } from './events/jobs/relay.ts';
import { startHousekeeping } from './housekeeping/jobs/housekeeping.ts';
import type { NodeKeeper } from './nodes/domain/node-keepers.ts';
import { SchemaStore } from './schemas/data/schemas.ts';

export interface AppParts {
  kit: ServiceKit;
  database: Database<PrismaClient>;
  verifier: TokenVerifier;
  publicOrigin: string;
  introspection: boolean;
  /** The other services that keep things of the graph; `node(id:)` finds nothing of theirs without. */
  keepers?: readonly NodeKeeper[];
  /** How many resources one search may look at. */
  searchLimit?: number;
  /** Connections of the database's pool. */
  poolSize?: number;
  trustedProxies?: readonly string[];
  /** What holds in tenants that didn't say otherwise. */
  policyDefaults?: TenantPolicySettings;
}

/** The directory as an HTTP server that isn't listening yet. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { kit, verifier, publicOrigin, introspection } = parts;
  // Half of the pool: whoever is in a larger transaction reads by another connection meanwhile.
  const database = joiningTransactions(parts.database, Math.max(1, Math.floor((parts.poolSize ?? 10) / 2)));
  const store = createStore({
    database,
    outbox: createOutbox('directory', [...eventConsumers, liveConsumer]),
    searchLimit: parts.searchLimit,
  });
  const directory = createDirectory(store, new SchemaStore(database), kit.clock, parts.policyDefaults);
  kit.health.check('postgresql', () => database.ping());

  const app = createHttp(kit, {
    publicOrigin,
    ...(parts.trustedProxies ? { trustedProxies: parts.trustedProxies } : {}),
  });
  app.addHook('onRequest', (request, _reply, next) => {
    const asking: Asking = {
      get clientId() {
        return request.principal?.clientId;
      },
    };
    runAskedBy(asking, next);
  });
  requireRouteConferrals(app, routeConferrals);
  const stopListening = await directory.listen();
  app.addHook('onClose', stopListening);
  const stopHousekeeping = startHousekeeping(directory, kit);
  app.addHook('onClose', stopHousekeeping);
  await app.register(internalSurface, { directory, verifier });
  await app.register(
    directorySubgraph({
      directory,
      keepers: parts.keepers ?? [],
      verifier,
      publicOrigin,
      kit,
      introspection,
    }),
  );
  return app;
}
