import { randomBytes } from 'node:crypto';
import type { Claim, Database, IdPage, Sql, Transaction } from '@ostiary/database';
import {
  checkOutgoingUrl,
  isUuid,
  type KeyRing,
  OutgoingFetchError,
  type OutgoingPolicy,
  uuidv7,
} from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import { changesBetween, type SecurityAction } from '../../audit/index.ts';
import { appendDeliveries } from '../../events/data/facts.ts';
import { type FactType, factTypes } from '../../events/index.ts';
import { invalidRequest } from '../../protocol/index.ts';
import { type ChangeTerms, requireVersion } from '../../subjects/index.ts';
import {
  countReceivers,
  deleteReceiver,
  findReceiver,
  giveUpWaiting,
  insertReceiver,
  listReceivers,
  updateReceiver,
} from '../data/receivers.ts';
import type { Receiver, ReceiverStatus } from './delivery.ts';
import { openSecrets, sealSecrets } from './receiver-secrets.ts';
import { shownSecret, testType, type WebhookSecrets } from './webhook-sender.ts';

/** What of a webhook can be changed; what is left out stays. */
export interface WebhookPatch {
  name?: string | undefined;
  endpoint?: string | undefined;
  factTypes?: readonly FactType[] | undefined;
  status?: ReceiverStatus | undefined;
}

/** Has the last word, by the types a webhook is about to be told where it is about to be. */
export type MayTell = (types: readonly FactType[]) => void;

export interface Webhooks {
  find(tenant: string, id: string): Promise<Receiver | undefined>;
  list(tenant: string, page: IdPage): Promise<Receiver[]>;
  count(tenant: string): Promise<number>;
  /** The secret is in this answer only. @throws OAuthError invalid_request */
  create(
    tenant: string,
    webhook: { name: string; endpoint: string; factTypes: readonly FactType[] },
    claim?: Claim,
  ): Promise<{ webhook: Receiver; secret: string }>;
  /**
   * @returns undefined when the tenant has no such webhook
   * @throws OAuthError invalid_request; VersionChanged
   */
  update(
    tenant: string,
    id: string,
    patch: WebhookPatch,
    o: ChangeTerms & { mayTell: MayTell },
  ): Promise<Receiver | undefined>;
  /**
   * Makes a new secret; the one before goes on signing beside it for `overlapSeconds` (a day unless said; 0: no longer).
   * Undefined when the tenant has no such webhook. @throws OAuthError invalid_request; VersionChanged
   */
  rotateSecret(
    tenant: string,
    id: string,
    overlapSeconds?: number,
    terms?: ChangeTerms,
  ): Promise<{ webhook: Receiver; secret: string } | undefined>;
  /** False when the tenant has no such webhook. @throws VersionChanged */
  remove(tenant: string, id: string, terms?: ChangeTerms): Promise<boolean>;
  /**
   * Sends a `webhook.test`. An idempotency key is claimed for the delivery.
   * @returns the delivery's id, undefined when the tenant has no such webhook
   * @throws OAuthError invalid_request; VersionChanged
   */
  test(
    tenant: string,
    id: string,
    terms?: ChangeTerms,
  ): Promise<{ webhook: Receiver; deliveryId: string } | undefined>;
}

const kind = 'webhook';
const mostWebhooks = 100;
const day = 86_400;
const longestOverlap = 7 * day;

export function createWebhooks(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  /** Of receivers' secrets. */
  receiverKeys: KeyRing;
  outgoing: Pick<OutgoingPolicy, 'allowPrivate' | 'allowHttp'>;
  clock: () => number;
}): Webhooks {
  const { sql } = o.database;
  const seal = (tenant: string, id: string, secrets: WebhookSecrets): Buffer =>
    sealSecrets(o.receiverKeys, { tenant, id }, secrets);
  const newSecret = (): string => randomBytes(32).toString('base64');

  /** Changes a webhook whose lock is held, and remembers it. */
  const changing = <T>(
    tenant: string,
    id: string,
    change: (before: Receiver, tx: Transaction) => Promise<T>,
  ): Promise<T | undefined> =>
    o.database.transaction(async (tx) => {
      const before = isUuid(id) ? await findReceiver(tx, tenant, id, { kind, lock: true }) : undefined;
      return before && change(before, tx);
    });

  return {
    find: async (tenant, id) => (isUuid(id) ? findReceiver(sql, tenant, id, { kind }) : undefined),
    list: (tenant, page) => listReceivers(sql, tenant, kind, page),
    count: (tenant) => countReceivers(sql, tenant, kind),
    async create(tenant, input, claim) {
      const id = uuidv7();
      const secret = newSecret();
      const given = {
        name: checkName(input.name),
        endpoint: checkEndpoint(input.endpoint, o.outgoing),
        factTypes: checkTypes(input.factTypes),
      };
      return o.database.transaction(async (tx) => {
        await claim?.(tx, tenant, id);
        const webhook = await insertReceiver(
          tx,
          tenant,
          {
            id,
            kind,
            clientId: null,
            status: 'enabled',
            settings: {},
            secrets: seal(tenant, id, { current: secret }),
            ...given,
          },
          mostWebhooks,
        );
        if (!webhook) throw invalidRequest(`A tenant has at most ${mostWebhooks} webhooks.`);
        await note(tx, tenant, 'webhook.created', id, undefined, { ...shown(webhook), secret });
        return { webhook, secret: shownSecret(secret) };
      });
    },
    update: (tenant, id, patch, { mayTell, ...terms }) =>
      changing(tenant, id, async (before, tx) => {
        await terms.claim?.(tx, tenant, before.id);
        requireVersion(terms, before.version);
        const status = patch.status ?? before.status;
        const after = {
          ...before,
          name: patch.name === undefined ? before.name : checkName(patch.name),
          endpoint:
            patch.endpoint === undefined ? before.endpoint : checkEndpoint(patch.endpoint, o.outgoing),
          factTypes: patch.factTypes === undefined ? before.factTypes : checkTypes(patch.factTypes),
          status,
          statusReason: status === before.status ? before.statusReason : null,
        };
        if (JSON.stringify(before) === JSON.stringify(after)) return before;
        // Telling somebody else the same is telling it.
        if (opens(before, after)) mayTell(after.factTypes as FactType[]);
        const updated = await updateReceiver(tx, tenant, id, after);
        if (status === 'disabled' && before.status !== 'disabled') await giveUpWaiting(tx, before);
        await note(tx, tenant, 'webhook.updated', id, shown(before), shown(after));
        return updated;
      }),
    async rotateSecret(tenant, id, overlapSeconds = day, terms = {}) {
      if (!Number.isInteger(overlapSeconds) || overlapSeconds < 0 || overlapSeconds > longestOverlap) {
        throw invalidRequest(`The overlap must be 0 to ${longestOverlap} seconds.`);
      }
      return changing(tenant, id, async (before, tx) => {
        await terms.claim?.(tx, tenant, before.id);
        requireVersion(terms, before.version);
        const secret = newSecret();
        const { current } = openSecrets<WebhookSecrets>(o.receiverKeys, before);
        const expiresAt = new Date(o.clock() + overlapSeconds * 1_000).toISOString();
        const secrets = seal(tenant, before.id, {
          current: secret,
          ...(overlapSeconds > 0 && { previous: { secret: current, expiresAt } }),
        });
        const webhook = await updateReceiver(tx, tenant, id, { ...before, secrets });
        await note(tx, tenant, 'webhook.secret_rotated', id, { secret: current }, { secret, overlapSeconds });
        return { webhook, secret: shownSecret(secret) };
      });
    },
    async remove(tenant, id, terms = {}) {
      const removed = await changing(tenant, id, async (before, tx) => {
        await terms.claim?.(tx, tenant, before.id);
        requireVersion(terms, before.version);
        await deleteReceiver(tx, tenant, before.id, kind);
        await note(tx, tenant, 'webhook.deleted', before.id, shown(before));
        return true;
      });
      return removed ?? false;
    },
    test: (tenant, id, terms = {}) =>
      changing(tenant, id, async (webhook, tx) => {
        requireVersion(terms, webhook.version);
        if (webhook.status !== 'enabled') throw invalidRequest('The webhook is not enabled.');
        const [deliveryId = ''] = await appendDeliveries(tx, tenant, [
          {
            receiverKind: kind,
            receiverId: webhook.id,
            // One that failed isn't waited for: what it found may have been mended.
            subjectKey: `${testType}:${uuidv7()}`,
            payload: { type: testType },
          },
        ]);
        await terms.claim?.(tx, tenant, deliveryId);
        await note(tx, tenant, 'webhook.tested', id, undefined, { delivery: deliveryId });
        return { webhook, deliveryId };
      }),
  };
}

const note = (
  tx: Sql,
  tenant: string,
  action: Extract<SecurityAction, `webhook.${string}`>,
  id: string,
  before?: object,
  after?: object,
): Promise<void> =>
  record(tx, tenant, {
    action,
    resourceType: 'Webhook',
    resourceId: id.toLowerCase(),
    changes: changesBetween(before, after),
  });

/** What may be read in a log: a query often is a key. */
const shown = ({
  name,
  endpoint,
  factTypes: types,
  status,
}: Pick<Receiver, 'name' | 'endpoint' | 'factTypes' | 'status'>) => ({
  name,
  endpoint: endpoint?.replace(/\?.*$/, '?…'),
  types,
  status,
});

/** Whether a change lets something be told that wasn't told there before. */
const opens = (before: Receiver, after: Receiver): boolean =>
  before.endpoint !== after.endpoint ||
  (before.status !== 'enabled' && after.status === 'enabled') ||
  after.factTypes.some((type) => !before.factTypes.includes(type));

function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200 || /\p{C}/u.test(name)) {
    throw invalidRequest('The name must have 1 to 200 printable characters.');
  }
  return name;
}

function checkEndpoint(text: string, policy: Pick<OutgoingPolicy, 'allowPrivate' | 'allowHttp'>): string {
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
    throw invalidRequest('A webhook needs the types of events it is told.');
  }
  return distinct;
}
