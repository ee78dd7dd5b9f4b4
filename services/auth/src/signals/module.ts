import { conferring, type RouteConferrals } from '@ostiary/access';
import type { Access } from '../access/module.ts';
import type { ClientServices } from '../clients/module.ts';
import type { Identity } from '../identity/module.ts';
import type { OAuth } from '../oauth/module.ts';
import { type District, ofTenant, type Platform, type Process } from '../platform/module.ts';
import { DirectoryFacts } from '../tenancy/index.ts';
import type { Tenancy } from '../tenancy/module.ts';
import { postgresFactCursors } from './data/cursors.ts';
import { deliveryQueue } from './data/deliveries.ts';
import { deliveryStore } from './data/delivery-list.ts';
import { postgresFacts } from './data/facts.ts';
import { deliveryMaintenance, deliveryNotices } from './data/maintenance.ts';
import { deliveryOutbox } from './data/outbox.ts';
import { receiverHealth, receiverStore } from './data/receivers.ts';
import { pollStore } from './data/signal-polls.ts';
import { signalSubjects, streamStore } from './data/signal-streams.ts';
import { backchannelLogoutSender } from './domain/backchannel-logout-sender.ts';
import { Deliveries } from './domain/deliveries.ts';
import type { Senders } from './domain/delivery.ts';
import { SignalPolls } from './domain/polls.ts';
import { SignalPush } from './domain/push.ts';
import { SignalStreams } from './domain/streams.ts';
import { Transmission } from './domain/transmission.ts';
import { WebhookSender } from './domain/webhook-sender.ts';
import { Webhooks } from './domain/webhooks.ts';
import { deliveryResolvers } from './graph/deliveries.ts';
import { receiverRights } from './graph/rights.ts';
import { signalStreamResolvers } from './graph/signal-streams.ts';
import { webhookResolvers } from './graph/webhooks.ts';
import { ssfRoutes } from './http/ssf.ts';
import { startDeliveries } from './jobs/deliveries.ts';

type SignalDependencies = Process & Platform & Tenancy & Access & ClientServices & Identity & OAuth;

/**
 * Rights that the modifying routes of this district confer. The process does not start with a route that is missing.
 * The scope of a stream decides which events it carries.
 */
export const signalConferrals: RouteConferrals = {
  ...conferring('events of a stream', 'held scopes', [
    ...ofTenant('POST', 'ssf/stream', 'ssf/status', 'ssf/subjects/add', 'ssf/subjects/remove'),
    ...ofTenant('POST', 'ssf/verification', 'ssf/poll/:streamId'),
    ...ofTenant('PATCH', 'ssf/stream'),
    ...ofTenant('PUT', 'ssf/stream'),
  ]),
  ...conferring('nothing', 'held scopes', ofTenant('DELETE', 'ssf/stream')),
};

export type Signals = ReturnType<typeof createServices>;

export function createSignals(o: SignalDependencies) {
  const services = createServices(o);
  const deps = { ...o, ...services };
  const district: District = {
    routes: { separate: [(app) => ssfRoutes(app, deps)] },
    graph: () => ({
      resolvers: [webhookResolvers(deps), deliveryResolvers(deps), signalStreamResolvers(deps)],
      rights: receiverRights,
    }),
    start: async (pending) => [
      await services.signalPolls.start(),
      startDeliveries({
        kit: o.kit,
        settings: o.env,
        senders: services.senders,
        polls: services.signalPolls,
        queue: deliveryQueue(o.database),
        receivers: receiverHealth(o.database.sql),
        maintenance: deliveryMaintenance(o.database),
        notices: deliveryNotices(o.database),
        pending: {
          onPending: (everyMs, wake) => pending.on('pendingDeliveries', everyMs, wake),
          onOverdue: (everyMs, wake) => pending.on('overdueDeliveries', everyMs, wake),
        },
      }),
    ],
  };
  return { services, district };
}

function createServices(o: SignalDependencies) {
  const { addressOwners, database, issuer, keys, kit, knowers, outgoingPolicy, securityLog } = o;
  const signalTransmission = new Transmission({
    subjects: signalSubjects(database.sql),
    signer: (tenant, alg) => o.signingKeys.signer(tenant, alg),
    issuer,
  });
  const stored = {
    knowers,
    database,
    receivers: receiverStore,
    outbox: deliveryOutbox,
    securityLog,
    receiverKeys: keys.of('receiver'),
  };
  return {
    /** Events of streams that receivers poll. */
    signalPolls: new SignalPolls({
      database,
      notices: deliveryNotices(database),
      streams: streamStore,
      polls: pollStore,
      transmission: signalTransmission,
    }),
    /** Streams of the Shared Signals Framework. */
    signalStreams: new SignalStreams({ ...stored, streams: streamStore, addressOwners }),
    webhooks: new Webhooks({ ...stored, outgoing: outgoingPolicy, clock: kit.clock }),
    /** Deliveries to receivers, for administrators. */
    deliveries: new Deliveries({ ...stored, deliveries: deliveryStore(database.replica) }),
    facts: postgresFacts,
    directoryFacts: new DirectoryFacts({ facts: postgresFacts, cursors: postgresFactCursors }),
    senders: createSenders(o, signalTransmission),
  };
}

function createSenders(o: SignalDependencies, transmission: Transmission): Senders {
  const { clients, env, kit, safePost } = o;
  const { clock } = kit;
  const receiverKeys = o.keys.of('receiver');
  const timeoutMs = env.DELIVERY_TIMEOUT_SECONDS * 1_000;
  return {
    webhook: new WebhookSender({
      post: safePost,
      receiverKeys,
      timeoutSeconds: env.DELIVERY_TIMEOUT_SECONDS,
      clock,
    }),
    ssf: new SignalPush({ transmission, clients, receiverKeys, safePost, timeoutMs, clock }),
    backchannel_logout: backchannelLogoutSender({
      clients,
      keys: o.signingKeys,
      subjectIdentifier: o.subjectIdentifier,
      sessionIdentifiers: o.sessionIdentifiers,
      issuer: o.issuer,
      post: safePost,
      timeoutMs,
      clock,
    }),
  };
}
