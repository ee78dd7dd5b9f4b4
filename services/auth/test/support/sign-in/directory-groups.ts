import type { NewEvent } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';

interface Group {
  tenant: string;
  id: string;
  version: number;
  /** Ids of users and groups. */
  members: Set<string>;
}

/** Users, and groups with their members, that could manage the objects of groups. */
interface Managers {
  ids: readonly string[];
  groups: readonly string[];
}

interface Privilege {
  scopes: string[];
  identifyingScopes: string[];
  managedBySources: boolean;
  version: number;
}

/** Groups of the simulated directory. Memberships at any depth are computed for each request. */
export class TestGroups {
  readonly all = new Map<string, Group>();
  readonly privileges = new Map<string, Privilege>();
  /** Notifications about users with direct roles. */
  readonly holders = new Map<string, { scopes: string[]; version: number }>();
  /** Names of groups by id. */
  readonly names = new Map<string, string>();
  questions = 0;
  /** Runs between the computation of an answer and its sending, so that the answer may be outdated. */
  beforeAnswer: () => Promise<void> = async () => undefined;
  readonly #isActive: (tenant: string, id: string) => boolean;
  readonly #send: (events: readonly NewEvent[]) => Promise<void>;

  constructor(
    send: (events: readonly NewEvent[]) => Promise<void>,
    isActive: (tenant: string, id: string) => boolean,
  ) {
    this.#send = send;
    this.#isActive = isActive;
  }

  /** Creates a group without an event: a new one has no role. */
  create(tenant: string, members: readonly string[] = []): string {
    const id = uuidv7();
    this.all.set(id, { tenant, id, version: 1, members: new Set(members) });
    return id;
  }

  /** Changes members and returns the event without sending it. */
  changed(
    id: string,
    o: { add?: readonly string[]; remove?: readonly string[]; truncated?: boolean },
  ): NewEvent {
    const group = this.#group(id);
    for (const member of o.add ?? []) group.members.add(member);
    for (const member of o.remove ?? []) group.members.delete(member);
    return this.#event('group.updated', group, {
      ...(o.add && !o.truncated && { membersAdded: [...o.add] }),
      ...(o.remove && !o.truncated && { membersRemoved: [...o.remove] }),
      ...(o.truncated && { membersTruncated: true }),
    });
  }

  add = (id: string, ...add: string[]): Promise<void> => this.#send([this.changed(id, { add })]);
  remove = (id: string, ...remove: string[]): Promise<void> => this.#send([this.changed(id, { remove })]);

  async delete(id: string): Promise<void> {
    const group = this.#group(id);
    this.all.delete(id);
    const left = [...this.all.values()].filter(({ members }) => members.has(id));
    await this.#send([
      ...left.map((parent) => this.changed(parent.id, { remove: [id] })),
      this.#event('group.deleted', group, {}),
    ]);
  }

  /** Returns the users in a group, directly or through others. */
  usersIn(tenant: string, id: string, seen = new Set<string>()): Set<string> {
    const people = new Set<string>();
    const group = this.all.get(id);
    if (group?.tenant !== tenant || seen.has(id)) return people;
    seen.add(id);
    for (const member of group.members) {
      if (!this.all.has(member)) people.add(member);
      for (const inner of this.usersIn(tenant, member, seen)) people.add(inner);
    }
    return people;
  }

  /** Returns the groups of a user, as the attribute `groups` of SCIM. */
  of(tenant: string, userId: string): { value: string; display: string }[] {
    return [...this.all.values()]
      .filter(({ id }) => this.usersIn(tenant, id).has(userId))
      .map(({ id }) => ({ value: id, display: this.names.get(id) ?? 'A group' }));
  }

  /** Returns the groups with an active manager. */
  attended = (tenant: string, ids: readonly string[], managers: Managers): string[] => {
    const inGroups = managers.groups.flatMap((id) => [...this.usersIn(tenant, id)]);
    const among = new Set([...managers.ids, ...inGroups]);
    const isManager = (person: string) => this.#isActive(tenant, person) && among.has(person);
    return ids.filter((id) => [...this.usersIn(tenant, id)].some(isManager));
  };

  routes(app: FastifyInstance): void {
    const base = '/internal/v1/tenants/:tenant/Groups';
    app.put(`${base}/:id/privilege`, async (request, reply) => {
      const { tenant, id } = request.params as { tenant: string; id: string };
      const privilege = request.body as Privilege;
      if (privilege.scopes.length > 0 && this.all.get(id)?.tenant !== tenant) return reply.code(404).send({});
      if (privilege.version > (this.privileges.get(id)?.version ?? 0)) this.privileges.set(id, privilege);
      return reply.code(204).send();
    });
    app.put('/internal/v1/tenants/:tenant/Users/:id/privilege', async (request, reply) => {
      const { id } = request.params as { id: string };
      const notified = request.body as { scopes: string[]; version: number };
      if (notified.version > (this.holders.get(id)?.version ?? 0)) this.holders.set(id, notified);
      return reply.code(204).send();
    });
    app.post(`${base}/effective-members`, async (request) => {
      this.questions += 1;
      const answer = this.#answer(request);
      await this.beforeAnswer();
      return answer;
    });
  }

  #answer(request: FastifyRequest): object {
    const { tenant } = request.params as { tenant: string };
    const {
      groups,
      ids,
      after = '',
      count = 0,
      active = false,
      managers = { ids: [], groups: [] },
    } = request.body as {
      groups: string[];
      ids?: string[];
      after?: string;
      count?: number;
      active?: boolean;
      managers?: Managers;
    };
    const missing = groups.filter((id) => this.all.get(id)?.tenant !== tenant);
    if (active) return { active: this.attended(tenant, groups, managers), missing };
    const inGroups = new Map<string, string[]>();
    for (const group of groups) {
      for (const id of this.usersIn(tenant, group)) inGroups.set(id, [...(inGroups.get(id) ?? []), group]);
    }
    const members = [...inGroups]
      .map(([id, of]) => ({ id, groups: of }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
    if (ids) {
      return {
        members: members.filter(({ id }) => ids.includes(id)),
        groups: ids.filter((id) => this.all.has(id)),
        missing,
      };
    }
    const rest = members.filter(({ id }) => id > after);
    return { members: rest.slice(0, count), more: rest.length > count, missing };
  }

  #group(id: string): Group {
    const group = this.all.get(id);
    if (!group) throw new Error('no such group');
    return group;
  }

  #event(type: 'group.updated' | 'group.deleted', group: Group, members: object): NewEvent {
    group.version += 1;
    return {
      id: crypto.randomUUID(),
      tenant: group.tenant,
      type,
      subject: group.id,
      version: group.version,
      actor: { kind: 'system', id: 'test' },
      payload: {
        id: group.id,
        displayName: 'A group',
        externalIds: {},
        changedAt: new Date().toISOString(),
        ...members,
      },
    };
  }
}
