import { randomBytes } from 'node:crypto';
import {
  checkOutgoingUrl,
  type IdPage,
  isUuid,
  type KeyRing,
  OutgoingFetchError,
  type OutgoingPolicy,
  type Transaction,
  type Transactions,
  uuidv7,
} from '@ostiary/service';
import type { CredentialOwner, Knowers } from '../../access/index.ts';
import {
  type ChangeTerms,
  type Claim,
  changesBetween,
  invalidRequest,
  requireVersion,
  type SecurityAction,
  type SecurityLog,
} from '../../platform/index.ts';
import { type FactType, factTypes } from '../../tenancy/index.ts';
import type { Receiver, ReceiverStatus } from './delivery.ts';
import type { DeliveryOutbox } from './delivery-queue.ts';
import { openSecrets, sealSecrets } from './receiver-secrets.ts';
import type { ReceiverStore } from './receiver-store.ts';
import { shownSecret, testType, type WebhookSecrets } from './webhook-sender.ts';

/** Changes of a webhook; omitted members stay. */
export interface WebhookPatch {
  name?: string | undefined;
  endpoint?: string | undefined;
  factTypes?: readonly FactType[] | undefined;
  status?: ReceiverStatus | undefined;
}

/** Rejects, by throwing, event types that the caller may not disclose to the endpoint. */
export type MayTell = (types: readonly FactType[]) => void;

const kind = 'webhook';
const maxWebhooks = 100;
const day = 86_400;
const maxOverlapSeconds = 7 * day;

export interface WebhooksOptions {
  database: Transactions;
  receivers: ReceiverStore;
  outbox: DeliveryOutbox;
  securityLog: SecurityLog;
  knowers: Knowers;
  /** Encryption keys of receivers' secrets. */
  receiverKeys: KeyRing;
  outgoing: OutgoingPolicy;
  clock: () => number;
}

const newSecret = (): string => randomBytes(32).toString('base64');

/** Endpoints that receive events as they occur (Standard Webhooks). */
export class Webhooks {
  readonly #o: WebhooksOptions;

  constructor(options: WebhooksOptions) {
    this.#o = options;
  }

  async find(tenant: string, id: string): Promise<Receiver | undefined> {
    return isUuid(id) ? this.#o.receivers.find(this.#o.database.sql, tenant, id, { kind }) : undefined;
  }

  list(tenant: string, page: IdPage): Promise<Receiver[]> {
    return this.#o.receivers.list(this.#o.database.sql, tenant, kind, page);
  }

  count(tenant: string): Promise<number> {
    return this.#o.receivers.count(this.#o.database.sql, tenant, kind);
  }

  /**
   * Creates a webhook. The secret is returned only here.
   * @throws OAuthError invalid_request
   */
  async create(
    tenant: string,
    input: { name: string; endpoint: string; factTypes: readonly FactType[] },
    claim?: Claim,
  ): Promise<{ webhook: Receiver; secret: string }> {
    const { database, knowers, receivers, outgoing } = this.#o;
    const id = uuidv7();
    const secret = newSecret();
    const given = {
      name: checkName(input.name),
      endpoint: checkEndpoint(input.endpoint, outgoing),
      factTypes: checkTypes(input.factTypes),
    };
    return database.transaction(async (tx) => {
      const knownTo = await knowers.holdKnowers(tx, tenant);
      await claim?.(tx, tenant, id);
      const webhook = await receivers.insert(
        tx,
        tenant,
        {
          id,
          kind,
          clientId: null,
          status: 'enabled',
          settings: {},
          secrets: this.#seal(tenant, id, { current: secret }),
          ...given,
        },
        maxWebhooks,
      );
      if (!webhook) throw invalidRequest(`A tenant has at most ${maxWebhooks} webhooks.`);
      await knowers.recordKnown(tx, tenant, 'webhook_endpoint', id, knownTo);
      await knowers.recordKnown(tx, tenant, 'webhook_secret', id, knownTo);
      await this.#record(tx, tenant, 'webhook.created', id, undefined, { ...shown(webhook), secret });
      return { webhook, secret: shownSecret(secret) };
    });
  }

  /**
   * @returns undefined when the tenant has no such webhook
   * @throws OAuthError invalid_request; VersionChanged
   */
  update(
    tenant: string,
    id: string,
    patch: WebhookPatch,
    { mayTell, ...terms }: ChangeTerms & { mayTell: MayTell },
  ): Promise<Receiver | undefined> {
    // The caller confirms the address by enabling the webhook.
    const supplies = patch.endpoint !== undefined || patch.status === 'enabled';
    return this.#changing(tenant, id, supplies, async (before, tx, knownTo) => {
      await terms.claim?.(tx, tenant, before.id);
      requireVersion(terms, before.version);
      const after = this.#patched(before, patch);
      if (JSON.stringify(before) === JSON.stringify(after)) return before;
      if (after.status === 'enabled' && after.secrets === null)
        throw invalidRequest('The signing secret was revoked with a user who knew it: rotate it first.');
      // Sending the same events to another address discloses them.
      if (opens(before, after)) mayTell(after.factTypes as FactType[]);
      const updated = await this.#o.receivers.update(tx, tenant, id, after);
      const isEnabled = after.status === 'enabled' && before.status !== 'enabled';
      const isSupplied = after.endpoint !== before.endpoint || isEnabled;
      if (supplies && isSupplied)
        await this.#o.knowers.recordKnown(tx, tenant, 'webhook_endpoint', before.id, knownTo);
      if (after.status === 'disabled' && before.status !== 'disabled') {
        await this.#o.receivers.giveUpWaiting(tx, before);
      }
      await this.#record(tx, tenant, 'webhook.updated', id, shown(before), shown(after));
      return updated;
    });
  }

  /**
   * Creates a new secret. The previous one also signs for `overlapSeconds` (default one day; 0 ends it immediately).
   * Returns undefined when the tenant has no such webhook.
   * @throws OAuthError invalid_request; VersionChanged
   */
  async rotateSecret(
    tenant: string,
    id: string,
    overlapSeconds = day,
    terms: ChangeTerms = {},
  ): Promise<{ webhook: Receiver; secret: string } | undefined> {
    if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > maxOverlapSeconds) {
      throw invalidRequest(`The overlap must be between 0 and ${maxOverlapSeconds} seconds.`);
    }
    return this.#changing(tenant, id, true, async (before, tx, knownTo) => {
      await terms.claim?.(tx, tenant, before.id);
      requireVersion(terms, before.version);
      const secret = newSecret();
      const current = before.secrets && openSecrets<WebhookSecrets>(this.#o.receiverKeys, before).current;
      const expiresAt = new Date(this.#o.clock() + overlapSeconds * 1_000).toISOString();
      const secrets = this.#seal(tenant, before.id, {
        current: secret,
        ...(current && overlapSeconds > 0 && { previous: { secret: current, expiresAt } }),
      });
      const webhook = await this.#o.receivers.update(tx, tenant, id, { ...before, secrets });
      await this.#o.receivers.recordSecretKnown(tx, before, knownTo, overlapSeconds > 0);
      const after = { secret, overlapSeconds };
      await this.#record(tx, tenant, 'webhook.secret_rotated', id, { secret: current }, after);
      return { webhook, secret: shownSecret(secret) };
    });
  }

  /**
   * Deletes a webhook. Returns false when the tenant has no such webhook.
   * @throws VersionChanged
   */
  async remove(tenant: string, id: string, terms: ChangeTerms = {}): Promise<boolean> {
    const removed = await this.#changing(tenant, id, false, async (before, tx) => {
      await terms.claim?.(tx, tenant, before.id);
      requireVersion(terms, before.version);
      await this.#o.receivers.delete(tx, tenant, before.id, kind);
      await this.#record(tx, tenant, 'webhook.deleted', before.id, shown(before));
      return true;
    });
    return removed ?? false;
  }

  /**
   * Sends a `webhook.test`. An idempotency key is claimed for the delivery.
   * @returns id of the delivery; undefined when the tenant has no such webhook
   * @throws OAuthError invalid_request; VersionChanged
   */
  test(
    tenant: string,
    id: string,
    terms: ChangeTerms = {},
  ): Promise<{ webhook: Receiver; deliveryId: string } | undefined> {
    return this.#changing(tenant, id, false, async (webhook, tx) => {
      requireVersion(terms, webhook.version);
      if (webhook.status !== 'enabled')
        throw invalidRequest('The webhook is paused or disabled. Enable it first.');
      const [deliveryId = ''] = await this.#o.outbox.append(tx, tenant, [
        {
          receiverKind: kind,
          receiverId: webhook.id,
          // Each test has its own key and does not wait for a failed one: the cause may be fixed.
          subjectKey: `${testType}:${uuidv7()}`,
          payload: { type: testType },
        },
      ]);
      await terms.claim?.(tx, tenant, deliveryId);
      await this.#record(tx, tenant, 'webhook.tested', id, undefined, { delivery: deliveryId });
      return { webhook, deliveryId };
    });
  }

  /**
   * Changes a webhook with its lock held.
   * @param supplies whether the caller supplies the address or receives the secret; its owners are then locked before
   * the webhook
   */
  #changing<T>(
    tenant: string,
    id: string,
    supplies: boolean,
    change: (before: Receiver, tx: Transaction, knownTo: CredentialOwner[]) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#o.database.transaction(async (tx) => {
      const knownTo = supplies ? await this.#o.knowers.holdKnowers(tx, tenant) : [];
      const before = isUuid(id)
        ? await this.#o.receivers.find(tx, tenant, id, { kind, lock: true })
        : undefined;
      return before && change(before, tx, knownTo);
    });
  }

  #patched(before: Receiver, patch: WebhookPatch): Receiver {
    const status = patch.status ?? before.status;
    return {
      ...before,
      name: patch.name === undefined ? before.name : checkName(patch.name),
      endpoint:
        patch.endpoint === undefined ? before.endpoint : checkEndpoint(patch.endpoint, this.#o.outgoing),
      factTypes: patch.factTypes === undefined ? before.factTypes : checkTypes(patch.factTypes),
      status,
      statusReason: status === before.status ? before.statusReason : null,
    };
  }

  #seal(tenant: string, id: string, secrets: WebhookSecrets): Buffer {
    return sealSecrets(this.#o.receiverKeys, { tenant, id }, secrets);
  }

  #record(
    tx: Transaction,
    tenant: string,
    action: Extract<SecurityAction, `webhook.${string}`>,
    id: string,
    before?: object,
    after?: object,
  ): Promise<void> {
    return this.#o.securityLog.record(tx, tenant, {
      action,
      resourceType: 'Webhook',
      resourceId: id.toLowerCase(),
      changes: changesBetween(before, after),
    });
  }
}

/** Returns the members for the security log. The query of the endpoint is masked, because it often contains a key. */
const shown = ({ name, endpoint, factTypes: types, status }: Receiver) => ({
  name,
  endpoint: endpoint?.replace(/\?.*$/, '?…'),
  types,
  status,
});

/** Reports whether a change sends events to an endpoint that did not get them before. */
const opens = (before: Receiver, after: Receiver): boolean =>
  before.endpoint !== after.endpoint ||
  (before.status !== 'enabled' && after.status === 'enabled') ||
  after.factTypes.some((type) => !before.factTypes.includes(type));

function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200 || /\p{C}/u.test(name)) {
    throw invalidRequest('name must have 1 to 200 printable characters.');
  }
  return name;
}

function checkEndpoint(text: string, policy: OutgoingPolicy): string {
  try {
    return checkOutgoingUrl(text, policy).href;
  } catch (error) {
    if (error instanceof OutgoingFetchError) throw invalidRequest(error.message);
    throw error;
  }
}

function checkTypes(types: readonly FactType[]): FactType[] {
  const distinct = [...new Set(types)];
  if (distinct.length === 0 || !distinct.every((type) => factTypes.includes(type))) {
    throw invalidRequest('types must contain at least one event type.');
  }
  return distinct;
}
