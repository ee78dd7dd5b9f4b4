import type { Database, Transaction } from '@ostiary/database';
import { isUuid, type KeyRing, uuidv7 } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import { changesBetween, masked } from '../../audit/index.ts';
import { appendDeliveries } from '../../events/data/facts.ts';
import { OAuthError } from '../../protocol/index.ts';
import type { AddressOwners } from '../../subjects/index.ts';
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
import {
  countStreams,
  type Exclusion,
  excludeSubject,
  findStream,
  includeSubject,
  listStreams,
  noteVerification,
  type StreamOwner,
} from '../data/signal-streams.ts';
import type { Receiver } from './delivery.ts';
import { openSecrets, sealSecrets } from './receiver-secrets.ts';
import {
  type Delivery,
  minVerificationInterval,
  pushMethod,
  type ReceiverSupplied,
  type Stream,
  type StreamStatus,
} from './stream-configuration.ts';
import { isStopped, loggedOf, rowOf, streamOf, withStop } from './stream-settings.ts';
import type { MeantSubject } from './subjects.ts';
import type { StreamNews } from './transmission.ts';

export interface StatusChange {
  status: StreamStatus;
  reason: string | undefined;
}

/** What a stream keeps secret. */
export interface StreamSecrets {
  authorizationHeader: string;
}

/** The streams of shared signals (SSF 1.0 §8). Each belongs to the client that made it; to others it doesn't exist. */
export interface SignalStreams {
  create(owner: StreamOwner, supplied: ReceiverSupplied): Promise<Stream | 'too many'>;
  list(owner: StreamOwner): Promise<Stream[]>;
  find(owner: StreamOwner, id: string): Promise<Stream | undefined>;
  /** Changes what is said and keeps the rest. `check` sees the stream as it is, and refuses by throwing. */
  change(
    owner: StreamOwner,
    id: string,
    change: Partial<ReceiverSupplied>,
    check: (current: Stream) => void,
  ): Promise<Stream | undefined>;
  delete(owner: StreamOwner, id: string): Promise<boolean>;
  /**
   * As the receiver asks; what waits for a stream that is disabled is given up. @throws OAuthError when an administrator stopped
   * it, and it is to go on
   */
  setStatus(owner: StreamOwner, id: string, change: StatusChange): Promise<Stream | undefined>;
  /** All streams of a tenant, in the order they were made; for administrators. */
  ofTenant(
    tenant: string,
    page: { limit: number; direction: 'forward' | 'backward'; position?: string | undefined },
  ): Promise<Stream[]>;
  count(tenant: string): Promise<number>;
  one(tenant: string, id: string): Promise<Stream | undefined>;
  /** As an administrator decides; the receiver is told, before the stream stops and when it goes on (§8.1.5). @throws VersionChanged */
  decideStatus(
    tenant: string,
    id: string,
    change: StatusChange,
    terms?: ChangeTerms,
  ): Promise<Stream | undefined>;
  /** Takes a stream away from its receiver. @throws VersionChanged */
  remove(tenant: string, id: string, terms?: ChangeTerms): Promise<boolean>;
  /** Events about a subject that was removed are wanted again. */
  addSubject(owner: StreamOwner, id: string, subject: MeantSubject): Promise<Stream | undefined>;
  /** Nothing about this subject is wanted any more. @throws OAuthError when it would be one too many */
  removeSubject(owner: StreamOwner, id: string, subject: MeantSubject): Promise<Stream | undefined>;
  /** Has a verification event sent. */
  verify(owner: StreamOwner, id: string, state: string | undefined): Promise<Stream | 'too soon' | undefined>;
}

const mostOfClient = 10;
/** Streams of a whole tenant: a limit that only a mistake reaches. */
const mostOfTenant = 1_000;
const mostExclusions = 10_000;

/** Changes of a stream's status are in an order of their own. A verification waits for nothing: it asks how things are now. */
const newsKey = (streamId: string, { news }: StreamNews): string =>
  news === 'verification' ? `verification:${uuidv7()}` : `stream:${streamId}`;

export function createSignalStreams(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  /** Of receivers' secrets. */
  receiverKeys: KeyRing;
  addressOwners: AddressOwners;
}): SignalStreams {
  const { sql } = o.database;

  const sealed = (place: { tenant: string; id: string }, delivery: Delivery): Buffer | null => {
    const header = delivery.method === pushMethod ? delivery.authorizationHeader : undefined;
    const secrets: StreamSecrets | undefined =
      header === undefined ? undefined : { authorizationHeader: header };
    return secrets ? sealSecrets(o.receiverKeys, place, secrets) : null;
  };

  const headerOf = (receiver: Pick<Receiver, 'tenant' | 'id' | 'secrets'>): string | undefined =>
    receiver.secrets === null
      ? undefined
      : openSecrets<StreamSecrets>(o.receiverKeys, receiver).authorizationHeader;

  const tell = (tx: Transaction, { tenant, id }: Receiver, news: StreamNews, regardless: boolean) =>
    appendDeliveries(tx, tenant, [
      {
        receiverKind: 'ssf',
        receiverId: id,
        subjectKey: newsKey(id, news),
        payload: { ...news },
        regardless,
      },
    ]);

  /** Overwrites what the stream was; `before` is locked. */
  async function write(
    tx: Transaction,
    before: Receiver,
    after: Pick<
      Receiver,
      'name' | 'endpoint' | 'status' | 'statusReason' | 'factTypes' | 'settings' | 'secrets'
    >,
  ): Promise<Stream> {
    const stream = streamOf(await updateReceiver(tx, before.tenant, before.id, after));
    const changes = changesBetween(loggedOf(streamOf(before)), loggedOf(stream));
    const [had, has] = [headerOf(before), headerOf({ ...before, secrets: after.secrets })];
    if (had !== has) {
      changes.authorizationHeader = {
        ...(had !== undefined && { before: masked }),
        ...(has !== undefined && { after: masked }),
      };
    }
    if (Object.keys(changes).length > 0) {
      await record(tx, before.tenant, {
        action: 'signal_stream.updated',
        resourceType: 'SignalStream',
        resourceId: before.id,
        changes,
      });
    }
    return stream;
  }

  async function withStatus(
    tx: Transaction,
    before: Receiver,
    { status, reason }: StatusChange,
  ): Promise<Stream> {
    const stream = await write(tx, before, { ...before, status, statusReason: reason ?? null });
    if (status === 'disabled') await giveUpWaiting(tx, before);
    return stream;
  }

  async function meantId(tenant: string, subject: MeantSubject): Promise<Exclusion | undefined> {
    if (!subject || 'id' in subject) return subject;
    const id = await o.addressOwners(tenant, subject.email);
    return id === undefined ? undefined : { kind: 'user', id };
  }

  /** Removes a stream whose row is locked. */
  async function removed(tx: Transaction, before: Receiver | undefined): Promise<boolean> {
    if (!before) return false;
    await deleteReceiver(tx, before.tenant, before.id, 'ssf');
    await record(tx, before.tenant, {
      action: 'signal_stream.deleted',
      resourceType: 'SignalStream',
      resourceId: before.id,
      changes: changesBetween(loggedOf(streamOf(before)), undefined),
    });
    return true;
  }

  return {
    create: (owner, supplied) =>
      o.database.transaction(async (tx) => {
        if ((await countStreams(tx, owner)) >= mostOfClient) return 'too many';
        const id = uuidv7();
        const endpointUrl =
          supplied.delivery.method === pushMethod ? supplied.delivery.endpointUrl : undefined;
        const receiver = await insertReceiver(
          tx,
          owner.tenant,
          {
            id,
            kind: 'ssf',
            clientId: owner.clientId,
            status: 'enabled',
            ...rowOf({ ...supplied, endpointUrl }),
            secrets: sealed({ tenant: owner.tenant, id }, supplied.delivery),
          },
          mostOfTenant,
        );
        if (!receiver) return 'too many';
        const stream = streamOf(receiver);
        await record(tx, owner.tenant, {
          action: 'signal_stream.created',
          resourceType: 'SignalStream',
          resourceId: id,
          changes: changesBetween(undefined, loggedOf(stream)),
        });
        return stream;
      }),

    list: async (owner) => (await listStreams(sql, owner)).map(streamOf),

    async find(owner, id) {
      const receiver = await findStream(sql, owner, id);
      return receiver && streamOf(receiver);
    },

    change: (owner, id, { delivery, ...change }, check) =>
      o.database.transaction(async (tx) => {
        const before = await findStream(tx, owner, id, { lock: true });
        if (!before) return undefined;
        const current = streamOf(before);
        check(current);
        const endpointUrl = delivery?.method === pushMethod ? delivery.endpointUrl : undefined;
        const row = rowOf({
          ...current,
          ...change,
          endpointUrl: delivery ? endpointUrl : current.endpointUrl,
        });
        return write(tx, before, {
          ...before,
          ...row,
          settings: withStop(row.settings, isStopped(before)),
          // An address that is said anew comes without the header of the old one.
          secrets: delivery ? sealed(before, delivery) : before.secrets,
        });
      }),

    delete: (owner, id) =>
      o.database.transaction(async (tx) => removed(tx, await findStream(tx, owner, id, { lock: true }))),

    setStatus: (owner, id, change) =>
      o.database.transaction(async (tx) => {
        const before = await findStream(tx, owner, id, { lock: true });
        if (!before) return undefined;
        if (isStopped(before)) {
          if (change.status === before.status) return streamOf(before);
          if (change.status !== 'disabled') {
            throw new OAuthError('access_denied', 'An administrator stopped the stream.', {
              statusCode: 403,
            });
          }
        }
        return withStatus(tx, before, change);
      }),

    ofTenant: async (tenant, page) => (await listReceivers(sql, tenant, 'ssf', page)).map(streamOf),
    count: (tenant) => countReceivers(sql, tenant, 'ssf'),
    async one(tenant, id) {
      const receiver = isUuid(id) ? await findReceiver(sql, tenant, id, { kind: 'ssf' }) : undefined;
      return receiver && streamOf(receiver);
    },

    decideStatus: (tenant, id, change, terms = {}) =>
      o.database.transaction(async (tx) => {
        const before = isUuid(id)
          ? await findReceiver(tx, tenant, id, { kind: 'ssf', lock: true })
          : undefined;
        if (!before) return undefined;
        await terms.claim?.(tx, tenant, before.id);
        requireVersion(terms, before.version);
        const settings = withStop(before.settings, change.status !== 'enabled');
        const stream = await withStatus(tx, { ...before, settings }, change);
        if (before.status !== change.status) {
          const { status, reason } = change;
          await tell(
            tx,
            before,
            { news: 'stream-updated', status, ...(reason === undefined ? {} : { reason }) },
            true,
          );
        }
        return stream;
      }),

    remove: async (tenant, id, terms = {}) =>
      isUuid(id) &&
      (await o.database.transaction(async (tx) => {
        const before = await findReceiver(tx, tenant, id, { kind: 'ssf', lock: true });
        if (!before) return false;
        await terms.claim?.(tx, tenant, before.id);
        requireVersion(terms, before.version);
        return removed(tx, before);
      })),

    async addSubject(owner, id, subject) {
      const receiver = await findStream(sql, owner, id);
      if (!receiver) return undefined;
      const meant = await meantId(owner.tenant, subject);
      if (meant) await includeSubject(sql, receiver, meant);
      return streamOf(receiver);
    },

    async removeSubject(owner, id, subject) {
      const receiver = await findStream(sql, owner, id);
      if (!receiver) return undefined;
      const meant = await meantId(owner.tenant, subject);
      const fits = await o.database.transaction(async (tx) => {
        if (!(await findStream(tx, owner, id, { lock: true }))) return undefined;
        return meant ? excludeSubject(tx, receiver, meant, mostExclusions) : true;
      });
      if (fits === undefined) return undefined;
      if (!fits) {
        throw new OAuthError('access_denied', `At most ${mostExclusions} subjects can be removed.`, {
          statusCode: 403,
        });
      }
      return streamOf(receiver);
    },

    verify: (owner, id, state) =>
      o.database.transaction(async (tx) => {
        const receiver = await findStream(tx, owner, id, { lock: true });
        if (!receiver) return undefined;
        if (!(await noteVerification(tx, receiver, minVerificationInterval))) return 'too soon';
        // Of a stream that is disabled nothing is kept for later.
        if (receiver.status !== 'disabled') {
          await tell(
            tx,
            receiver,
            { news: 'verification', ...(state === undefined ? {} : { state }) },
            false,
          );
        }
        return streamOf(receiver);
      }),
  };
}
