import { isUuid, type KeyRing, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { CredentialOwner, Knowers } from '../../access/index.ts';
import {
  type ChangeTerms,
  changesBetween,
  masked,
  OAuthError,
  requireVersion,
  type SecurityLog,
} from '../../platform/index.ts';
import type { Receiver } from './delivery.ts';
import type { DeliveryOutbox } from './delivery-queue.ts';
import { openSecrets, sealSecrets } from './receiver-secrets.ts';
import type { ReceiverChange, ReceiverStore } from './receiver-store.ts';
import {
  type Delivery,
  minVerificationInterval,
  pushMethod,
  type ReceiverSupplied,
  type Stream,
  type StreamStatus,
} from './stream-configuration.ts';
import { isStopped, loggedOf, rowOf, streamOf, withStop } from './stream-settings.ts';
import type { AddressOwners, Exclusion, StreamOwner, StreamStore } from './stream-store.ts';
import type { MeantSubject } from './subjects.ts';
import type { StreamNotice } from './transmission.ts';

export interface StatusChange {
  status: StreamStatus;
  reason: string | undefined;
}

/** Secrets of a stream. */
export interface StreamSecrets {
  authorizationHeader: string;
}

export interface SignalStreamsOptions {
  database: Transactions;
  receivers: ReceiverStore;
  streams: StreamStore;
  outbox: DeliveryOutbox;
  securityLog: SecurityLog;
  /** Encryption keys of receivers' secrets. */
  receiverKeys: KeyRing;
  addressOwners: AddressOwners;
  knowers: Knowers;
}

const maxOfClient = 10;
/** Maximum number of streams of a tenant, above any intended use. */
const maxOfTenant = 1_000;
const maxExclusions = 10_000;

/**
 * Status changes of a stream are delivered in order. Each verification has its own key and waits for nothing, because
 * it tests the current state.
 */
const noticeKey = (streamId: string, { news }: StreamNotice): string =>
  news === 'verification' ? `verification:${uuidv7()}` : `stream:${streamId}`;

const programOf = ({ clientId }: StreamOwner) => ({ kind: 'program', id: clientId }) as const;

/**
 * Streams of the Shared Signals Framework (SSF 1.0 §8). A stream belongs to the client that created it; for other
 * clients it does not exist.
 */
export class SignalStreams {
  readonly #o: SignalStreamsOptions;

  constructor(options: SignalStreamsOptions) {
    this.#o = options;
  }

  create(owner: StreamOwner, supplied: ReceiverSupplied): Promise<Stream | 'too many'> {
    const { database, knowers, streams, receivers } = this.#o;
    return database.transaction(async (tx) => {
      const knownTo = await knowers.holdKnowers(tx, owner.tenant, [programOf(owner)]);
      if ((await streams.count(tx, owner)) >= maxOfClient) return 'too many';
      const id = uuidv7();
      const endpointUrl = supplied.delivery.method === pushMethod ? supplied.delivery.endpointUrl : undefined;
      const receiver = await receivers.insert(
        tx,
        owner.tenant,
        {
          id,
          kind: 'ssf',
          clientId: owner.clientId,
          status: 'enabled',
          ...rowOf({ ...supplied, endpointUrl }),
          secrets: this.#sealed({ tenant: owner.tenant, id }, supplied.delivery),
        },
        maxOfTenant,
      );
      if (!receiver) return 'too many';
      if (endpointUrl !== undefined)
        await knowers.recordKnown(tx, owner.tenant, 'stream_endpoint', id, knownTo);
      const stream = streamOf(receiver);
      await this.#record(tx, 'created', receiver, changesBetween(undefined, loggedOf(stream)));
      return stream;
    });
  }

  async list(owner: StreamOwner): Promise<Stream[]> {
    return (await this.#o.streams.list(this.#o.database.sql, owner)).map(streamOf);
  }

  async find(owner: StreamOwner, id: string): Promise<Stream | undefined> {
    const receiver = await this.#o.streams.find(this.#o.database.sql, owner, id);
    return receiver && streamOf(receiver);
  }

  /**
   * Changes the given members and keeps the rest. `check` receives the current stream and rejects the change by
   * throwing.
   */
  change(
    owner: StreamOwner,
    id: string,
    { delivery, ...change }: Partial<ReceiverSupplied>,
    check: (current: Stream) => void,
  ): Promise<Stream | undefined> {
    return this.#supplying(owner, id, delivery !== undefined, async (tx, before, knownTo) => {
      const current = streamOf(before);
      check(current);
      const endpointUrl = delivery?.method === pushMethod ? delivery.endpointUrl : undefined;
      const row = rowOf({
        ...current,
        ...change,
        endpointUrl: delivery ? endpointUrl : current.endpointUrl,
      });
      if (knownTo) await this.#o.knowers.recordKnown(tx, owner.tenant, 'stream_endpoint', before.id, knownTo);
      return this.#write(tx, before, {
        ...before,
        ...row,
        settings: withStop(row.settings, isStopped(before)),
        // A new `delivery` without a header removes the previous header.
        secrets: delivery ? this.#sealed(before, delivery) : before.secrets,
      });
    });
  }

  async delete(owner: StreamOwner, id: string): Promise<boolean> {
    return (await this.#locked(owner, id, (tx, before) => this.#removed(tx, before))) ?? false;
  }

  /**
   * Sets the status on request of the receiver. Messages of a disabled stream become dead letters.
   * @throws OAuthError access_denied when an administrator stopped the stream and it is not to be disabled
   */
  setStatus(owner: StreamOwner, id: string, change: StatusChange): Promise<Stream | undefined> {
    return this.#supplying(owner, id, change.status === 'enabled', async (tx, before, knownTo) => {
      if (isStopped(before)) {
        if (change.status === before.status) return streamOf(before);
        if (change.status !== 'disabled') {
          throw new OAuthError('access_denied', 'An administrator stopped the stream.', {
            statusCode: 403,
          });
        }
      }
      // The caller confirms the address by enabling the stream.
      if (knownTo && before.status !== 'enabled')
        await this.#o.knowers.recordKnown(tx, owner.tenant, 'stream_endpoint', before.id, knownTo);
      return this.#withStatus(tx, before, change);
    });
  }

  /** Returns the streams of a tenant in order of creation, for administrators. */
  async ofTenant(
    tenant: string,
    page: { limit: number; direction: 'forward' | 'backward'; position?: string | undefined },
  ): Promise<Stream[]> {
    return (await this.#o.receivers.list(this.#o.database.sql, tenant, 'ssf', page)).map(streamOf);
  }

  count(tenant: string): Promise<number> {
    return this.#o.receivers.count(this.#o.database.sql, tenant, 'ssf');
  }

  async one(tenant: string, id: string): Promise<Stream | undefined> {
    if (!isUuid(id)) return undefined;
    const receiver = await this.#o.receivers.find(this.#o.database.sql, tenant, id, { kind: 'ssf' });
    return receiver && streamOf(receiver);
  }

  /**
   * Sets the status on request of an administrator. The receiver is notified before the stream stops and when it
   * resumes (§8.1.5).
   * @throws VersionChanged
   */
  decideStatus(
    tenant: string,
    id: string,
    change: StatusChange,
    terms: ChangeTerms = {},
  ): Promise<Stream | undefined> {
    const supplies = change.status === 'enabled';
    const decide = async (tx: Transaction, before: Receiver, knownTo: CredentialOwner[]) => {
      if (supplies && before.status !== 'enabled')
        await this.#o.knowers.recordKnown(tx, tenant, 'stream_endpoint', before.id, knownTo);
      const settings = withStop(before.settings, change.status !== 'enabled');
      const stream = await this.#withStatus(tx, { ...before, settings }, change);
      if (before.status !== change.status) {
        const { status, reason } = change;
        const notice = { news: 'stream-updated', status, ...(reason !== undefined && { reason }) } as const;
        await this.#notify(tx, before, notice, true);
      }
      return stream;
    };
    return this.#administered(tenant, id, terms, decide, supplies);
  }

  /**
   * Deletes a stream on request of an administrator.
   * @throws VersionChanged
   */
  async remove(tenant: string, id: string, terms: ChangeTerms = {}): Promise<boolean> {
    return (await this.#administered(tenant, id, terms, (tx, before) => this.#removed(tx, before))) ?? false;
  }

  /** Ends the exclusion of a subject. */
  async addSubject(owner: StreamOwner, id: string, subject: MeantSubject): Promise<Stream | undefined> {
    const { database, streams } = this.#o;
    const receiver = await streams.find(database.sql, owner, id);
    if (!receiver) return undefined;
    const meant = await this.#meantId(owner.tenant, subject);
    if (meant) await streams.include(database.sql, receiver, meant);
    return streamOf(receiver);
  }

  /**
   * Excludes a subject from the events of a stream.
   * @throws OAuthError access_denied above the maximum number of exclusions
   */
  async removeSubject(owner: StreamOwner, id: string, subject: MeantSubject): Promise<Stream | undefined> {
    const { database, streams } = this.#o;
    const receiver = await streams.find(database.sql, owner, id);
    if (!receiver) return undefined;
    const meant = await this.#meantId(owner.tenant, subject);
    const fits = await this.#locked(owner, id, async (tx) =>
      meant ? streams.exclude(tx, receiver, meant, maxExclusions) : true,
    );
    if (fits === undefined) return undefined;
    if (!fits) {
      throw new OAuthError('access_denied', `At most ${maxExclusions} subjects can be removed.`, {
        statusCode: 403,
      });
    }
    return streamOf(receiver);
  }

  /** Enqueues a verification event. */
  verify(
    owner: StreamOwner,
    id: string,
    state: string | undefined,
  ): Promise<Stream | 'too soon' | undefined> {
    return this.#locked(owner, id, async (tx, receiver) => {
      if (!(await this.#o.streams.noteVerification(tx, receiver, minVerificationInterval))) return 'too soon';
      // A disabled stream does not queue messages.
      if (receiver.status !== 'disabled') {
        await this.#notify(
          tx,
          receiver,
          { news: 'verification', ...(state === undefined ? {} : { state }) },
          false,
        );
      }
      return streamOf(receiver);
    });
  }

  /** Runs work with the row of a client's stream locked. Returns undefined when the client has no such stream. */
  #locked<T>(
    owner: StreamOwner,
    id: string,
    work: (tx: Transaction, stream: Receiver) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#o.database.transaction(async (tx) => {
      const found = await this.#o.streams.find(tx, owner, id, { lock: true });
      return found && work(tx, found);
    });
  }

  /**
   * Runs work with the stream locked. If the client supplies or confirms an address, the owners that know it are locked
   * first.
   */
  #supplying<T>(
    owner: StreamOwner,
    id: string,
    supplies: boolean,
    work: (tx: Transaction, stream: Receiver, knownTo: CredentialOwner[] | undefined) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#o.database.transaction(async (tx) => {
      const callers = [programOf(owner)];
      const knownTo = supplies ? await this.#o.knowers.holdKnowers(tx, owner.tenant, callers) : undefined;
      const found = await this.#o.streams.find(tx, owner, id, { lock: true });
      return found && work(tx, found, knownTo);
    });
  }

  /** Runs an administrator's change with the stream locked, under its terms. */
  async #administered<T>(
    tenant: string,
    id: string,
    terms: ChangeTerms,
    work: (tx: Transaction, stream: Receiver, knownTo: CredentialOwner[]) => Promise<T>,
    supplies = false,
  ): Promise<T | undefined> {
    if (!isUuid(id)) return undefined;
    return this.#o.database.transaction(async (tx) => {
      const knownTo = supplies ? await this.#o.knowers.holdKnowers(tx, tenant) : [];
      const before = await this.#o.receivers.find(tx, tenant, id, { kind: 'ssf', lock: true });
      if (!before) return undefined;
      await terms.claim?.(tx, tenant, before.id);
      requireVersion(terms, before.version);
      return work(tx, before, knownTo);
    });
  }

  /** Overwrites a stream and records the changes; `before` is locked. */
  async #write(tx: Transaction, before: Receiver, after: ReceiverChange): Promise<Stream> {
    const stream = streamOf(await this.#o.receivers.update(tx, before.tenant, before.id, after));
    const changes = changesBetween(loggedOf(streamOf(before)), loggedOf(stream));
    const [had, has] = [this.#headerOf(before), this.#headerOf({ ...before, secrets: after.secrets })];
    if (had !== has) {
      changes.authorizationHeader = {
        ...(had !== undefined && { before: masked }),
        ...(has !== undefined && { after: masked }),
      };
    }
    if (Object.keys(changes).length > 0) await this.#record(tx, 'updated', before, changes);
    return stream;
  }

  async #withStatus(tx: Transaction, before: Receiver, { status, reason }: StatusChange): Promise<Stream> {
    const stream = await this.#write(tx, before, { ...before, status, statusReason: reason ?? null });
    if (status === 'disabled') await this.#o.receivers.giveUpWaiting(tx, before);
    return stream;
  }

  /** Deletes a stream whose row is locked. */
  async #removed(tx: Transaction, before: Receiver): Promise<boolean> {
    await this.#o.receivers.delete(tx, before.tenant, before.id, 'ssf');
    await this.#record(tx, 'deleted', before, changesBetween(loggedOf(streamOf(before)), undefined));
    return true;
  }

  #record(
    tx: Transaction,
    what: 'created' | 'updated' | 'deleted',
    { tenant, id }: Receiver,
    changes: ReturnType<typeof changesBetween>,
  ): Promise<void> {
    return this.#o.securityLog.record(tx, tenant, {
      action: `signal_stream.${what}`,
      resourceType: 'SignalStream',
      resourceId: id,
      changes,
    });
  }

  #notify(
    tx: Transaction,
    { tenant, id }: Receiver,
    notice: StreamNotice,
    regardless: boolean,
  ): Promise<unknown> {
    return this.#o.outbox.append(tx, tenant, [
      {
        receiverKind: 'ssf',
        receiverId: id,
        subjectKey: noticeKey(id, notice),
        payload: { ...notice },
        regardless,
      },
    ]);
  }

  async #meantId(tenant: string, subject: MeantSubject): Promise<Exclusion | undefined> {
    if (!subject || 'id' in subject) return subject;
    const id = await this.#o.addressOwners(tenant, subject.email);
    return id === undefined ? undefined : { kind: 'user', id };
  }

  #sealed(place: { tenant: string; id: string }, delivery: Delivery): Buffer | null {
    const header = delivery.method === pushMethod ? delivery.authorizationHeader : undefined;
    const secrets: StreamSecrets | undefined =
      header === undefined ? undefined : { authorizationHeader: header };
    return secrets ? sealSecrets(this.#o.receiverKeys, place, secrets) : null;
  }

  #headerOf(receiver: Receiver): string | undefined {
    return receiver.secrets === null
      ? undefined
      : openSecrets<StreamSecrets>(this.#o.receiverKeys, receiver).authorizationHeader;
  }
}
