import { createDatabase, type Database } from '@ostiary/database';
import {
  type Actor,
  type ConfirmedEvent,
  confirmedEvents,
  createOutbox,
  type NewEvent,
  OutboxRelay,
  type UserDeparture,
  undeliveredEvents,
} from '@ostiary/events';
import { bindFilter, coreRegistry, evaluate, parseFilter } from '@ostiary/scim';
import { createHttp, createKit, type ServiceKit, uuidv7 } from '@ostiary/service';
import { testEventSignatures } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import type { DirectoryUser } from '../../../src/tenancy/users/domain/directory-user.ts';
import { TestGroups } from './directory-groups.ts';

export interface Person {
  id: string;
  userName: string;
  displayName: string;
  active: boolean;
  version: number;
  emails?: { value: string; verified?: true }[];
  departure?: UserDeparture;
  /** Further attributes of SCIM, which only the directory stores. */
  attributes?: Readonly<Record<string, unknown>>;
}

type UserEventType =
  | 'user.created'
  | 'user.updated'
  | 'user.deactivated'
  | 'user.reactivated'
  | 'user.deleted';

/**
 * Simulated directory: answers the requests of this service over HTTP, and sends events through a real outbox, relay
 * and queue.
 */
export class TestDirectory {
  readonly tenants = new Map<
    string,
    { name: string; status: 'active' | 'suspended'; people: Map<string, Person> }
  >();
  /** Received requests, as `METHOD path`. */
  readonly asked: string[] = [];
  available = true;
  /** Its groups, and the notifications about them. */
  readonly groups = new TestGroups(
    (events) => this.send(events),
    (tenant, id) => this.tenants.get(tenant)?.people.get(id)?.active === true,
  );
  readonly #app: FastifyInstance;
  readonly #database: Database<undefined>;
  readonly #kit: ServiceKit;
  readonly #outbox = createOutbox('directory', ['auth']);
  #relay: OutboxRelay | undefined;
  origin = '';

  constructor(databaseUrl: string) {
    this.#kit = createKit({ name: 'directory', logLevel: 'silent' });
    this.#database = createDatabase({
      url: databaseUrl,
      schema: 'directory',
      poolSize: 3,
      log: this.#kit.log,
      prisma: () => undefined,
    });
    this.#app = createHttp(this.#kit);
    this.#routes();
  }

  async start(o: { redisUrl: string; prefix: string }): Promise<void> {
    await this.#database.sql.query('CREATE SCHEMA IF NOT EXISTS directory');
    await this.#database.sql.query(
      `CREATE TABLE directory.outbox_events (id uuid PRIMARY KEY, position bigserial, tenant text NOT NULL, type text NOT NULL,
         subject text NOT NULL, version bigint NOT NULL, payload jsonb NOT NULL, actor jsonb NOT NULL, traceparent text,
         occurred_at timestamptz(3) NOT NULL DEFAULT now())`,
    );
    await this.#database.sql.query(
      `CREATE TABLE directory.outbox_deliveries (event_id uuid, consumer text, state text NOT NULL DEFAULT 'pending',
         generation int NOT NULL DEFAULT 0, enqueued_at timestamptz(3), job uuid, PRIMARY KEY (event_id, consumer))`,
    );
    this.origin = await this.#app.listen({ host: '127.0.0.1', port: 0 });
    this.#relay = new OutboxRelay({
      database: this.#database,
      schema: 'directory',
      redisUrl: o.redisUrl,
      prefix: o.prefix,
      signatures: testEventSignatures,
      log: this.#kit.log,
      metrics: this.#kit.metrics,
      confirm: async () => ({ missing: [] }),
    });
    await this.#relay.start();
  }

  async stop(): Promise<void> {
    await this.#relay?.stop();
    await this.#app.close();
    await this.#database.close();
  }

  addTenant(id: string, name: string): void {
    this.tenants.set(id, { name, status: 'active', people: new Map() });
  }

  addUser(tenant: string, userName: string, o: { active?: boolean } = {}): Person {
    const person = {
      id: uuidv7(),
      userName,
      displayName: `The ${userName}`,
      active: o.active ?? true,
      version: 1,
    };
    this.#usersOf(tenant).set(person.id, person);
    return person;
  }

  /** Changes a user and sends the event. */
  async change(tenant: string, id: string, type: UserEventType, fields: Partial<Person> = {}): Promise<void> {
    await this.send([this.changed(tenant, id, type, fields)]);
  }

  /** Changes a user and returns the event without sending it. */
  changed(
    tenant: string,
    id: string,
    type: UserEventType,
    fields: Partial<Person> & { ticket?: string; actor?: Actor } = {},
  ): NewEvent {
    const person = this.#usersOf(tenant).get(id);
    if (!person) throw new Error('no such person');
    const { ticket, actor = { kind: 'system', id: 'test' }, ...rest } = fields;
    const wasActive = person.active;
    Object.assign(person, rest, { version: person.version + 1 });
    const { departure: before } = person;
    if (type === 'user.deactivated' || type === 'user.deleted') {
      person.active = false;
      if (wasActive) person.departure = offboardingBy(type, person.version, actor);
    }
    if (type === 'user.reactivated') {
      person.active = true;
      delete person.departure;
    }
    if (type === 'user.deleted') this.#usersOf(tenant).delete(id);
    return {
      ...(person.departure?.version === person.version && { id: person.departure.eventId }),
      tenant,
      type,
      subject: id,
      version: person.version,
      actor,
      payload: {
        id,
        userName: person.userName,
        displayName: person.displayName,
        active: person.active,
        departure: person.departure ?? (type === 'user.reactivated' ? before : undefined) ?? null,
        emails: person.emails ?? [],
        externalIds: {},
        changedAt: new Date().toISOString(),
        ...(ticket === undefined ? {} : { credentialTicket: ticket }),
      },
    };
  }

  async send(events: readonly NewEvent[]): Promise<void> {
    await this.#database.transaction((tx) => this.#outbox.append(tx, events));
  }

  /** Adds events that stay undelivered: the relay polls only after an hour. */
  async hold(events: readonly NewEvent[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      const ids = await this.#outbox.append(tx, events);
      await tx.query(
        `UPDATE directory.outbox_deliveries SET state = 'enqueued', enqueued_at = now() + interval '1 hour'
          WHERE event_id = ANY ($1::uuid[])`,
        [ids],
      );
    });
  }

  #usersOf(tenant: string): Map<string, Person> {
    const people = this.tenants.get(tenant)?.people;
    if (!people) throw new Error('no such tenant');
    return people;
  }

  #routes(): void {
    this.#app.addHook('onRequest', async (request, reply) => {
      this.asked.push(`${request.method} ${request.url}`);
      if (!this.available) await reply.code(503).send({});
      else if (!request.headers.authorization?.startsWith('Bearer ')) await reply.code(401).send({});
    });
    this.groups.routes(this.#app);
    this.#app.get('/internal/v1/events/undelivered', async (request) => {
      const { after } = request.query as { after?: string };
      return undeliveredEvents('directory')(this.#database.sql, 'auth', after);
    });
    this.#app.post('/internal/v1/events/confirm', async (request) => {
      const words = await confirmedEvents('directory', 'true')(
        this.#database.sql,
        (request.body as { ids: string[] }).ids,
      );
      const active = ({ type, tenant, subject }: ConfirmedEvent['event']): boolean =>
        type.startsWith('tenant.')
          ? this.tenants.get(subject)?.status === 'active'
          : this.tenants.get(tenant)?.people.get(subject)?.active === true;
      const departure = ({ tenant, subject }: ConfirmedEvent['event']): UserDeparture | null =>
        this.tenants.get(tenant)?.people.get(subject)?.departure ?? null;
      return {
        words: words.map(({ event }) => ({ event, active: active(event), departure: departure(event) })),
      };
    });
    this.#app.get('/internal/v1/tenants/:tenant', async (request, reply) => {
      const { tenant: id } = request.params as { tenant: string };
      const tenant = this.tenants.get(id);
      if (!tenant) return reply.code(404).send({});
      return { id, name: tenant.name, status: tenant.status };
    });
    this.#app.get('/internal/v1/tenants/:tenant/Users/:id', async (request, reply) => {
      const { tenant, id } = request.params as { tenant: string; id: string };
      const person = this.tenants.get(tenant)?.people.get(id);
      const { verified } = request.query as { verified?: string };
      if (!person) return reply.code(404).send({});
      const groups = this.groups.of(tenant, id);
      return { ...person.attributes, ...resource(person, verified === 'true'), groups };
    });
    this.#app.post('/internal/v1/tenants/:tenant/Users/search', async (request, reply) => {
      const { tenant } = request.params as { tenant: string };
      const { filter, verified } = request.body as { filter: string; verified?: boolean };
      const people = this.tenants.get(tenant)?.people;
      if (!people) return reply.code(404).send({});
      const bound = bindFilter(parseFilter(filter), coreRegistry(), 'User');
      // Every user has an address derived from the user name.
      const found = [...people.values()].filter(({ userName }) =>
        evaluate(bound, { userName, emails: [{ value: `${userName}@example.com` }] }),
      );
      return {
        totalResults: found.length,
        Resources: found.map((person) => resource(person, verified === true)),
      };
    });
  }
}

const offboardingBy = (type: UserDeparture['type'], version: number, actor: Actor): UserDeparture => ({
  version,
  type,
  eventId: uuidv7(),
  occurredAt: new Date().toISOString(),
  actor,
});

/** Attributes outside of SCIM are returned only when requested. */
const resource = (person: Person, verified: boolean): DirectoryUser => ({
  id: person.id,
  userName: person.userName,
  displayName: person.displayName,
  active: person.active,
  emails: (person.emails ?? []).map((email) => (verified ? email : { value: email.value })),
  meta: { version: `W/"${person.version}"`, lastModified: new Date().toISOString() },
  ...(verified && !person.active && { departure: person.departure ?? null }),
});
