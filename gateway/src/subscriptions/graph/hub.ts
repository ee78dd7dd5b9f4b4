import { AccessError, type Principal, platformTenant, type RevocationList } from '@ostiary/access';
import { unavailable } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import type { EventFeed } from '../domain/event-feed.ts';
import type { Placed } from '../domain/event-window.ts';
import { FairSemaphore } from '../domain/fair-semaphore.ts';
import { hubMetrics } from '../domain/metrics.ts';
import { type Position, parsePosition, positionText } from '../domain/position.ts';
import { kindOf, type TopicKind } from '../domain/topics.ts';
import { type ConnectionEnding, endings, failure } from './ending.ts';
import type { Hydration, HydrationResult, LiveOperation, LiveResult } from './operation.ts';
import type { SubscriptionRules } from './rules.ts';
import { type Delivery, LiveSubscription } from './subscription.ts';

/** The client of a live connection, and the means to end it. */
export interface Caller {
  readonly transport: 'sse' | 'websocket';
  principal: Principal;
  /** The token, verified again for every event. */
  readonly token: string;
  /** The Authorization value of the token. */
  readonly authorization: string;
  readonly requestId: string;
  readonly subscriptions: Set<LiveSubscription>;
  /** Closes the connection after the last messages of its subscriptions. */
  close(ending: ConnectionEnding): void;
  /** Bytes that wait to be sent. */
  buffered(): number;
}

export interface HubLimits {
  /** Maximum number of subscriptions of this process, and of connections. */
  subscriptions: number;
  /** Maximum number of connections of one client acting for one subject. */
  connectionsPerClient: number;
  /** Maximum number of connections of one network, counted before their token is verified. */
  connectionsPerNetwork: number;
  subscriptionsPerConnection: number;
  /** Maximum number of events that wait for one subscriber, and of bytes that wait for one connection. */
  waitingEvents: number;
  waitingBytes: number;
  /** Maximum number of concurrent hydrations. */
  hydrations: number;
}

export const hubLimits: HubLimits = {
  subscriptions: 50_000,
  connectionsPerClient: 1_000,
  connectionsPerNetwork: 5_000,
  subscriptionsPerConnection: 20,
  waitingEvents: 256,
  waitingBytes: 4 * 1024 * 1024,
  hydrations: 64,
};

export interface HubOptions {
  kit: ServiceKit;
  revocations: RevocationList;
  limits: HubLimits;
  /** Verifies the token of an admitted connection. @throws AccessError, ServiceUnavailable */
  verify: (token: string) => Promise<Principal>;
  /** Queries the services with the caller's rights. */
  ask: (hydration: Hydration, caller: Caller) => Promise<HydrationResult>;
  rules: () => SubscriptionRules;
  feed: () => EventFeed;
}

/** Time in milliseconds for which a response about an event is shared between the subscriptions with the same token. */
const sharedMs = 1_000;
const expiryCheckMs = 250;
/** Maximum lead in milliseconds of the clock of Redis, which assigns the positions. */
const clockSlackMs = 600_000;

/**
 * Subscriptions and their authorization. An event reaches the subscriptions of its tenant and kind, by an index. It is
 * checked against each token and resolved with the token's rights. Nothing is shared between two tokens.
 */
export class LiveHub {
  readonly #options: HubOptions;
  readonly #callers = new Map<string, Set<Caller>>();
  readonly #listening = new Map<string, Set<LiveSubscription>>();
  readonly #callerOf = new WeakMap<LiveSubscription, Caller>();
  readonly #perClient = new Map<string, number>();
  /** Number of subscriptions. */
  readonly #perTenant = new Map<string, number>();
  readonly #metrics: ReturnType<typeof hubMetrics>;
  readonly #hydrations: FairSemaphore;
  readonly #stopListening: () => void;
  /** Runs only while there are connections: each interval wakes the process. */
  #expiry: NodeJS.Timeout | undefined;
  readonly #concerned = new Set<string>();
  #connections = 0;
  #subscriptions = 0;
  #closing = false;

  constructor(options: HubOptions) {
    this.#options = options;
    this.#hydrations = new FairSemaphore(options.limits.hydrations);
    this.#metrics = hubMetrics(options.kit, () => ({
      connections: this.#connections,
      subscriptions: this.#subscriptions,
    }));
    this.#stopListening = options.revocations.onRevoked(({ tenant }) => this.#recheckSoon(tenant));
  }

  /** Admits a connection. @throws GraphQLError when a limit is reached or no events are read */
  admit(caller: Caller): void {
    const { tenant } = caller.principal;
    if (this.#closing) throw unavailable();
    if (this.#options.feed().window === undefined) throw unavailable();
    const client = clientOf(caller.principal);
    const held = this.#perClient.get(client) ?? 0;
    if (held >= this.#options.limits.connectionsPerClient) {
      throw failure('TOO_MANY_CONNECTIONS', 'This client has too many live connections.');
    }
    const callers = this.#callers.get(tenant) ?? new Set();
    if (!this.#hasRoom(this.#connections, callers.size)) throw unavailable();
    this.#perClient.set(client, held + 1);
    this.#connections += 1;
    this.#callers.set(tenant, callers.add(caller));
    this.#expiry ??= setInterval(() => this.#endExpired(), expiryCheckMs).unref();
    // It may have been revoked between its verification and its registration here.
    if (this.#options.revocations.revoked(caller.principal)) this.end(caller, endings.revoked);
  }

  /** Removes a closed connection. */
  leave(caller: Caller): void {
    const { tenant } = caller.principal;
    const callers = this.#callers.get(tenant);
    for (const subscription of caller.subscriptions) void subscription.return();
    if (!callers?.delete(caller)) return;
    if (callers.size === 0) this.#callers.delete(tenant);
    this.#connections -= 1;
    lower(this.#perClient, clientOf(caller.principal));
  }

  /** Reports whether there is room for one more. The last tenth is reserved for tenants with less than a tenth. */
  #hasRoom(all: number, ofTenant: number): boolean {
    const { subscriptions: most } = this.#options.limits;
    const reserved = Math.floor(most / 10);
    return all < (ofTenant < reserved ? most : most - reserved);
  }

  /** Ends every subscription of a connection and closes it. */
  end(caller: Caller, ending: ConnectionEnding): void {
    this.#metrics.ended.inc({ reason: ending.code.toLowerCase() });
    for (const subscription of caller.subscriptions) subscription.end(ending);
    caller.close(ending);
  }

  /**
   * Begins a subscription.
   * @param lastEventId position of the client; the events after it come first
   * @throws GraphQLError when it is not allowed, or cannot resume there
   */
  subscribe(
    caller: Caller,
    operation: LiveOperation,
    o: { lastEventId?: string | undefined; drained?: (handedOut: number) => Promise<void> | undefined },
  ): LiveSubscription {
    const { limits } = this.#options;
    const { tenant } = caller.principal;
    const window = this.#options.feed().window;
    if (!this.#callers.get(tenant)?.has(caller) || window === undefined) throw unavailable();
    this.#requireReach(caller, operation);
    if (caller.subscriptions.size >= limits.subscriptionsPerConnection) {
      throw failure('TOO_MANY_SUBSCRIPTIONS', 'This connection has too many subscriptions.');
    }
    const ofTenant = this.#perTenant.get(tenant) ?? 0;
    if (!this.#hasRoom(this.#subscriptions, ofTenant)) throw unavailable();

    const after = o.lastEventId === undefined ? undefined : this.#position(o.lastEventId);
    // Reported immediately, not when the subscriber reads the missing event.
    if (after && window.next(tenant, after, () => true) === 'lost') throw lost();
    const key = listeningKey(tenant, operation.topic.kind);
    const isWanted = (placed: Placed): boolean => this.#concerns(caller, operation, placed);
    const subscription: LiveSubscription = new LiveSubscription({
      operation,
      after,
      missed: (position) => this.#options.feed().window?.next(tenant, position, isWanted),
      capacity: limits.waitingEvents,
      show: (delivery) => this.#show(caller, subscription, delivery),
      ...(o.drained ? { drained: o.drained } : {}),
      onClosed: () => {
        this.#subscriptions -= 1;
        lower(this.#perTenant, tenant);
        caller.subscriptions.delete(subscription);
        const listening = this.#listening.get(key);
        listening?.delete(subscription);
        if (listening?.size === 0) this.#listening.delete(key);
      },
    });
    this.#subscriptions += 1;
    this.#perTenant.set(tenant, (this.#perTenant.get(tenant) ?? 0) + 1);
    caller.subscriptions.add(subscription);
    this.#callerOf.set(subscription, caller);
    const listening = this.#listening.get(key) ?? new Set();
    this.#listening.set(key, listening.add(subscription));
    return subscription;
  }

  /** Returns the position from which a client can resume; undefined while an event is on its way to it. */
  mark(caller: Caller): string | undefined {
    for (const subscription of caller.subscriptions) if (!subscription.idle) return undefined;
    const window = this.#options.feed().window;
    return window && positionText(window.mark(caller.principal.tenant));
  }

  /** Delivers an event to its subscriptions. */
  publish(placed: Placed): void {
    const { event } = placed;
    if (event.type === 'tenant.suspended') this.#endActing(event.tenant);
    const listening = this.#listening.get(listeningKey(event.tenant, kindOf(event)));
    if (!listening) return;
    const asked = new Map<string, Promise<unknown>>();
    const delivery: Delivery = { placed, asked };
    for (const subscription of [...listening]) {
      const caller = this.#callerOf.get(subscription);
      if (!caller || !this.#concerns(caller, subscription.operation, placed)) continue;
      const full = caller.buffered() > this.#options.limits.waitingBytes;
      if (full || !subscription.push(delivery)) this.end(caller, endings.slow);
    }
    setTimeout(() => asked.clear(), sharedMs).unref();
  }

  /** Ends every subscription with an error, because events may have been lost. */
  gap(): void {
    for (const listening of [...this.#listening.values()]) {
      for (const subscription of [...listening]) {
        this.#metrics.ended.inc({ reason: 'gap' });
        subscription.end(endings.gap);
      }
    }
  }

  /** Ends every connection and admits none. */
  close(): void {
    this.#closing = true;
    clearInterval(this.#expiry);
    this.#stopListening();
    for (const callers of [...this.#callers.values()]) {
      for (const caller of [...callers]) this.end(caller, endings.shutdown);
    }
  }

  #requireReach(caller: Caller, operation: LiveOperation): void {
    const rules = this.#options.rules();
    if (rules.reach(operation.field, caller.principal) !== 'none') return;
    const scopes = rules.scopes(operation.field);
    throw failure('FORBIDDEN', `This requires the scope ${scopes.join(' or ')}.`, { scopes });
  }

  /** Reports whether an event matches the subscription and is visible to the subscriber. Another tenant's never is. */
  #concerns({ principal }: Caller, { field, topic, args }: LiveOperation, { event }: Placed): boolean {
    if (event.tenant !== principal.tenant || kindOf(event) !== topic.kind) return false;
    const reach = this.#options.rules().reach(field, principal);
    if (reach === 'none') return false;
    if (reach === 'own' && topic.concerns?.(event) !== principal.subject) return false;
    return topic.matches(event, args);
  }

  /** Parses a position; none of the future was issued. @throws GraphQLError RESUME_NOT_POSSIBLE */
  #position(lastEventId: string): Position {
    const position = parsePosition(lastEventId);
    if (!position || position.ms > this.#options.kit.clock() + clockSlackMs) throw lost();
    return position;
  }

  async #show(
    caller: Caller,
    subscription: LiveSubscription,
    { placed, asked }: Delivery,
  ): Promise<LiveResult | undefined> {
    const { operation } = subscription;
    if (!(await this.#stillTrusted(caller))) return undefined;
    if (this.#options.rules().reach(operation.field, caller.principal) === 'none') {
      subscription.end(endings.forbidden);
      return undefined;
    }
    if (!this.#concerns(caller, operation, placed)) return undefined;
    const own = this.#options.rules().reach(operation.field, caller.principal) === 'own';
    const hydration = operation.hydration(placed.event, own);
    const hydrated = hydration && (await this.#ask(caller, hydration, asked));
    if (hydrated?.errors?.some(({ extensions }) => extensions?.code === 'UNAUTHENTICATED')) {
      // A service has applied a revocation before this process.
      this.end(caller, endings.revoked);
      return undefined;
    }
    if (this.#options.revocations.revoked(caller.principal)) {
      this.end(caller, endings.revoked);
      return undefined;
    }
    this.#metrics.delivered.inc({ transport: caller.transport });
    this.#metrics.delay.observe(Math.max(0, Date.now() - Date.parse(placed.event.occurredAt)) / 1000);
    return operation.result(placed.event, hydrated);
  }

  async #stillTrusted(caller: Caller): Promise<boolean> {
    try {
      caller.principal = this.#sameParty(caller.principal, await this.#options.verify(caller.token));
      return true;
    } catch (error) {
      if (!(error instanceof AccessError)) {
        this.end(caller, endings.unchecked);
      } else {
        const expired = caller.principal.expiresAt * 1000 <= this.#options.kit.clock();
        this.end(caller, expired ? endings.expired : endings.revoked);
      }
      return false;
    }
  }

  /** Checks that the token still has the same tenant and client. @throws AccessError */
  #sameParty(before: Principal, now: Principal): Principal {
    if (before.tenant !== now.tenant || clientOf(before) !== clientOf(now)) {
      throw new AccessError('invalid_token', 'The access token belongs to another client or tenant.');
    }
    return now;
  }

  async #ask(
    caller: Caller,
    hydration: Hydration,
    asked: Map<string, Promise<unknown>> | undefined,
  ): Promise<HydrationResult> {
    // The key contains the token: every connection with the same token gets the same response.
    const key = `${caller.authorization}\u0000${hydration.query}\u0000${JSON.stringify(hydration.variables)}`;
    const known = asked?.get(key) as Promise<HydrationResult> | undefined;
    if (known) return known;
    const { tenant } = caller.principal;
    const answer = this.#hydrations
      .run(tenant, () => this.#options.ask(hydration, caller))
      .catch((error: unknown): HydrationResult => {
        this.#options.kit.log.error(
          { event: 'subscription.event_failed', err: error, requestId: caller.requestId },
          'Subscription event could not be resolved',
        );
        return {
          errors: [
            { message: 'Something went wrong on our side.', extensions: { code: 'INTERNAL_SERVER_ERROR' } },
          ],
        };
      });
    asked?.set(key, answer);
    return answer;
  }

  // Revocations come in batches. The connections are checked once for each batch.
  #recheckSoon(tenant: string): void {
    if (this.#concerned.size === 0) queueMicrotask(() => this.#recheck());
    this.#concerned.add(tenant);
  }

  #recheck(): void {
    const tenants = new Set(this.#concerned);
    this.#concerned.clear();
    // The platform's own tokens may act in any tenant.
    const concerned = tenants.has(platformTenant)
      ? [...this.#callers.values()]
      : [...tenants].map((tenant) => this.#callers.get(tenant) ?? []);
    for (const caller of concerned.flatMap((callers) => [...callers])) {
      if (this.#options.revocations.revoked(caller.principal)) this.end(caller, endings.revoked);
    }
  }

  /** Ends the connections of users who act in a tenant from outside. The tenant's own tokens are revoked with it. */
  #endActing(tenant: string): void {
    for (const caller of [...(this.#callers.get(tenant) ?? [])]) {
      if (caller.principal.home !== undefined) this.end(caller, endings.suspended);
    }
  }

  #endExpired(): void {
    if (this.#callers.size === 0) {
      clearInterval(this.#expiry);
      this.#expiry = undefined;
    }
    const now = this.#options.kit.clock() / 1000;
    for (const callers of this.#callers.values()) {
      for (const caller of [...callers]) {
        if (caller.principal.expiresAt <= now) this.end(caller, endings.expired);
      }
    }
  }
}

function lower(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}

const lost = () => failure(endings.gap.code, endings.gap.message);

const clientOf = ({ tenant, clientId, subject }: Principal): string =>
  `${tenant}\u0000${clientId}\u0000${subject}`;

const listeningKey = (tenant: string, kind: TopicKind): string => `${tenant}\u0000${kind}`;
