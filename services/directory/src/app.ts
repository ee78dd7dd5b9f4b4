import { ownPerimeter, requireRouteConferrals, type TokenVerifier } from '@ostiary/access';
import { type Database, replicaOutcomes } from '@ostiary/database';
import { createOutbox, liveConsumer, type TenantPolicySettings } from '@ostiary/events';
import { createHttp, measurePool, measureReplica, measureTakeovers, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { type Caller, runWithCaller } from './audit/domain/audit-context.ts';
import { Directory } from './composition/directory.ts';
import { internalSurface } from './composition/internal-surface.ts';
import { routeConferrals } from './composition/route-conferrals.ts';
import { directorySubgraph } from './composition/subgraph.ts';
import { watchTakeovers } from './composition/takeovers.ts';
import { joiningTransactions } from './database/data/joined-transactions.ts';
import type { PrismaClient } from './database/generated/client.ts';
import { migrations, tables } from './database/generated/migrations.ts';
import { eventConsumers } from './events/domain/deliveries.ts';
import { answerWhenClosed, type Closing } from './events/http/answer-when-closed.ts';
import { startMaintenance } from './maintenance/maintenance.jobs.ts';
import type { OwningService } from './nodes/graph/owning-services.ts';
import { AcknowledgedChanges } from './recovery/domain/acknowledged.ts';

export interface AppParts {
  kit: ServiceKit;
  database: Database<PrismaClient>;
  verifier: TokenVerifier;
  publicOrigin: string;
  introspection: boolean;
  /** Other services with nodes of the graph; without them `node(id:)` resolves only the directory's own. */
  owningServices?: readonly OwningService[];
  /** Maximum number of resources that one search examines. */
  searchLimit?: number;
  /** Number of connections of the database's pool. */
  poolSize?: number;
  trustedProxies?: readonly string[];
  /** The policy of tenants that have set none. */
  policyDefaults?: TenantPolicySettings;
  /** Delays responses to changes that end access until the access paths are closed; by default there is no delay. */
  closing?: Closing;
}

/** Creates the directory as an HTTP server that does not listen yet. */
export async function createApp(parts: AppParts): Promise<FastifyInstance> {
  const { kit, verifier, publicOrigin, introspection } = parts;
  // Half of the pool, because work in a larger transaction also reads over a second connection.
  const database = joiningTransactions(parts.database, Math.max(1, Math.floor((parts.poolSize ?? 10) / 2)));
  const acknowledged = new AcknowledgedChanges();
  const directory = new Directory({
    database,
    outbox: createOutbox('directory', [...eventConsumers, liveConsumer]),
    clock: kit.clock,
    acknowledged,
    searchLimit: parts.searchLimit,
    policyDefaults: parts.policyDefaults,
  });
  // Read from the database itself: a copy of its figures would not change.
  measurePool(kit.metrics, () => parts.database.load);
  measureTakeovers(kit.metrics, (listener) => database.onTermChange(listener));
  measureReplica(kit.metrics, database.replica.standby, replicaOutcomes);
  const takeover = watchTakeovers({ kit, database, directory, acknowledged });
  kit.health.check('postgresql', () => database.ready(migrations, tables), {
    impairs: 'Users and groups can be neither read nor changed, and users cannot be offboarded.',
  });

  const app = createHttp(kit, {
    publicOrigin,
    perimeter: ownPerimeter({ service: 'directory', bodyLimit: 0, neighbours: kit.neighbours }),
    ...(parts.trustedProxies ? { trustedProxies: parts.trustedProxies } : {}),
  });
  app.addHook('onRequest', (request, _reply, next) => {
    const caller: Caller = {
      get clientId() {
        return request.principal?.clientId;
      },
    };
    runWithCaller(caller, next);
  });
  if (parts.closing) answerWhenClosed(app, parts.closing);
  requireRouteConferrals(app, routeConferrals);
  const stopListening = await directory.listen();
  app.addHook('onClose', stopListening);
  app.addHook('onClose', () => takeover.stop());
  app.addHook(
    'onClose',
    startMaintenance((stopped) => directory.maintain(stopped), kit),
  );
  await app.register(internalSurface, { directory, takeover, verifier });
  await app.register(
    directorySubgraph({
      directory,
      owningServices: parts.owningServices ?? [],
      verifier,
      publicOrigin,
      kit,
      introspection,
      writing: database.replica.standby?.writing,
    }),
  );
  return app;
}
