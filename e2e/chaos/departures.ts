import { setTimeout as sleep } from 'node:timers/promises';
import { ScimClient } from '../support/scim.ts';
import { adminToken, authorize, redeem } from '../support/sign-in.ts';
import { ask } from './asking.ts';
import type { People } from './people.ts';
import type { Door, Person, TenantName } from './person.ts';
import type { Departure, Trigger } from './plan.ts';
import type { ChangeType } from './receivers/expectations.ts';
import type { Stage } from './stage.ts';

/** How one door closed. Times are milliseconds by performance.now(). */
export interface Closing {
  door: string;
  /** When the last request that was let in had been sent; undefined: none was. */
  openAt: number | undefined;
  /** When it was first refused. */
  closedAt: number | undefined;
  /** Requests without an answer, or with "not now". */
  unavailable: number;
  /** The last thing that was said. */
  said: string;
  /** Who it was said to be, if that was somebody else. */
  mixedUp: string | undefined;
}

export interface Left {
  person: { tenant: string; id: string };
  /** What was done. */
  trigger: string;
  /** When the change was acknowledged. */
  acknowledgedAt: number;
  /** Requests it took. */
  attempts: number;
  closings: Closing[];
  /** The doors that were watched from the first moment. */
  watched: number;
}

/** What became of one person, as the outside should hear of it. */
export interface Changes {
  tenant: TenantName;
  id: string;
  /** `user.deactivated`, `user.deleted` or `user.reactivated`, each acknowledged, in their order. */
  types: ChangeType[];
  /** Of the last one there was no acknowledgement: it may or may not have happened. */
  unsure: boolean;
}

const pause = { first: 8, longest: 250, factor: 1.5 };

/** Lets people leave and watches their doors. */
export class Departures {
  readonly #stage: Pick<Stage, 'demo' | 'urls'>;
  readonly #people: People;
  readonly #admins = new Map<TenantName, { token: string; until: number }>();
  readonly left: Left[] = [];
  /** Doors of people who have left, each refused at least once. */
  readonly #closed: { door: Door; left: Left; closing: Closing }[] = [];
  /** How often each person has left. */
  readonly departuresOf = new Map<string, { tenant: TenantName; id: string; count: number }>();
  readonly #changes = new Map<string, Changes>();
  /** Doors that were found open after they had been closed. */
  readonly reopened: { door: string; person: string; afterMs: number }[] = [];
  /** Times somebody came back, and the milliseconds it took until they could sign in. */
  readonly returns: number[] = [];
  #under = 0;

  constructor(stage: Pick<Stage, 'demo' | 'urls'>, people: People) {
    this.#stage = stage;
    this.#people = people;
  }

  /** People who have gone and of whom a door hasn't been seen to be closed. */
  get underWay(): number {
    return this.#under;
  }

  /** What became of the people who left. */
  get changes(): readonly Changes[] {
    return [...this.#changes.values()];
  }

  /** From the trigger until every door was refused, or `giveUp`. */
  async depart(person: Person, how: Departure, giveUp: AbortSignal): Promise<void> {
    this.#under += 1;
    try {
      const back = await this.#leave(person, how.trigger, how.watched, giveUp);
      if (!back || !how.returns || how.trigger.toLowerCase().includes('delete')) return;
      const again = await this.#return(person, giveUp);
      if (again) await this.#leave(again, 'SCIM PATCH', how.watched, giveUp);
    } finally {
      this.#under -= 1;
    }
  }

  /** Tries one door of somebody who left long ago. */
  async tryAgain(choose: (count: number) => number): Promise<void> {
    const some = this.#closed[choose(this.#closed.length)];
    if (some !== undefined) await this.#expectShut(some);
  }

  /** Tries every door of everybody once more. */
  async tryAll(): Promise<number> {
    const queue = [...this.#closed];
    const worker = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await this.#expectShut(next);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return this.#closed.length;
  }

  async #expectShut({ door, left, closing }: { door: Door; left: Left; closing: Closing }): Promise<void> {
    const sentAt = performance.now();
    const { outcome } = await door.try();
    if (outcome !== 'open') return;
    closing.openAt = sentAt;
    this.reopened.push({
      door: door.name,
      person: left.person.id,
      afterMs: Math.round(sentAt - left.acknowledgedAt),
    });
  }

  async #leave(person: Person, trigger: Trigger, watched: number, giveUp: AbortSignal): Promise<boolean> {
    const { slow, code } = await this.#doorsAtOnce(person);
    const changes = this.#changing(person);
    const attempts = await this.#trigger(person, trigger, giveUp);
    if (attempts === undefined) {
      for (const door of slow) door.close?.();
      return false;
    }
    const acknowledgedAt = performance.now();
    changes.types.push(trigger.toLowerCase().includes('delete') ? 'user.deleted' : 'user.deactivated');
    changes.unsure = false;
    const key = `${person.tenant} ${person.id}`;
    const count = (this.departuresOf.get(key)?.count ?? 0) + 1;
    this.departuresOf.set(key, { tenant: person.tenant, id: person.id, count });
    const doors = shuffle(this.#people.everyDoor(person), person.id);
    const atOnce = [...doors.slice(0, watched), ...(code ? [this.#people.codeDoor(person)] : [])];
    const left: Left = {
      person: { tenant: person.tenant, id: person.id },
      trigger,
      acknowledgedAt,
      attempts,
      closings: [],
      watched: atOnce.length,
    };
    this.left.push(left);
    const watch = (some: readonly Door[]) =>
      Promise.all(some.map((door) => this.#watch(door, person, left, giveUp)));
    // What takes long to try isn't among those whose first refusal is timed.
    await Promise.all([watch(atOnce), watch(slow)]);
    await watch(doors.slice(watched));
    if (!code) await watch([this.#people.codeDoor(person)]);
    for (const door of slow) door.close?.();
    return left.closings.every(({ closedAt }) => closedAt !== undefined);
  }

  /**
   * Doors that are dear, for some people only: a password (a hash each time), a subscription; and whether the code is tried from
   * the first moment too, instead of last, when all else is closed.
   */
  async #doorsAtOnce(person: Person): Promise<{ slow: Door[]; code: boolean }> {
    const drawn = Number.parseInt(person.id.slice(-3), 16);
    const slow = await Promise.all([
      drawn % 3 === 0 ? this.#people.subscriptionDoor(person) : undefined,
      drawn % 8 === 1 ? this.#people.passwordDoor(person) : undefined,
    ]);
    return { slow: slow.filter((door) => door !== undefined), code: drawn % 4 === 2 };
  }

  /** From the first request of a change on it may happen; until it is acknowledged nobody knows whether it did. */
  #changing({ tenant, id }: Person): Changes {
    const changes = this.#changes.get(id) ?? { tenant, id, types: [], unsure: true };
    changes.unsure = true;
    this.#changes.set(id, changes);
    return changes;
  }

  async #watch(door: Door, person: Person, left: Left, giveUp: AbortSignal): Promise<void> {
    const closing: Closing = {
      door: door.name,
      openAt: undefined,
      closedAt: undefined,
      unavailable: 0,
      said: '',
      mixedUp: undefined,
    };
    left.closings.push(closing);
    for (let wait = pause.first; !giveUp.aborted; wait = Math.min(wait * pause.factor, pause.longest)) {
      const sentAt = performance.now();
      const { outcome, who, said } = await door.try();
      closing.said = said;
      if (outcome === 'open') closing.openAt = sentAt;
      if (who !== undefined && who !== person.id) closing.mixedUp = who;
      if (outcome === 'unavailable') closing.unavailable += 1;
      if (outcome === 'closed') {
        closing.closedAt = performance.now();
        if (!door.returns) this.#closed.push({ door, left, closing });
        return;
      }
      await sleep(wait);
    }
  }

  /** Sends the change until it is acknowledged; how often that took. */
  async #trigger(person: Person, trigger: Trigger, giveUp: AbortSignal): Promise<number | undefined> {
    for (let attempt = 1; !giveUp.aborted; attempt += 1) {
      if (await this.#send(person, trigger, attempt)) return attempt;
      await sleep(Math.min(50 * attempt, 500));
    }
    return undefined;
  }

  async #send({ tenant, id, user }: Person, trigger: Trigger, attempt: number): Promise<boolean> {
    const where = this.#people.tenant(tenant);
    const path = `${where.scim}/Users/${id}`;
    const headers = {
      authorization: `Bearer ${where.clients.scim.token}`,
      'content-type': 'application/scim+json',
    };
    const send = async (method: string, to: string, body?: object) =>
      await ask(to, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const patched = (operation: object) => ({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [operation],
    });
    const patch = async (operation: object) => (await send('PATCH', path, patched(operation)))?.status;
    const bulk = async (operation: object) => {
      const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
      const answer = await send('POST', `${where.scim}/Bulk`, { schemas, Operations: [operation] });
      return Number(answer?.body?.Operations?.[0]?.status);
    };
    // Gone already: the request before had its effect and lost its answer.
    const isGone = (status: number | undefined) => isSuccess(status) || (status === 404 && attempt > 1);
    switch (trigger) {
      case 'SCIM PATCH':
        return isSuccess(await patch({ op: 'replace', path: 'active', value: false }));
      case 'SCIM PATCH as Entra':
        return isSuccess(await patch({ op: 'Replace', path: 'active', value: 'False' }));
      case 'SCIM PATCH as Okta':
        return isSuccess(await patch({ op: 'replace', value: { active: false } }));
      case 'SCIM PUT':
        return isSuccess(
          (
            await send('PUT', path, {
              schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
              userName: user.userName,
              externalId: user.userName,
              active: false,
            })
          )?.status,
        );
      case 'SCIM DELETE':
        return isGone((await send('DELETE', path))?.status);
      case 'SCIM Bulk with PATCH': {
        const data = patched({ op: 'replace', path: 'active', value: false });
        return isSuccess(await bulk({ method: 'PATCH', path: `/Users/${id}`, data }));
      }
      case 'SCIM Bulk with DELETE':
        return isGone(await bulk({ method: 'DELETE', path: `/Users/${id}` }));
      case 'deactivateUser':
      case 'deleteUser':
        return this.#mutate(tenant, trigger, id, attempt);
    }
  }

  async #mutate(tenant: TenantName, name: string, id: string, attempt: number): Promise<boolean> {
    const token = await this.#adminToken(tenant);
    if (token === undefined) return false;
    const raw = await ask(this.#stage.demo.graphql, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: `mutation ($id: ID!) { ${name}(input: { id: $id }) { __typename } }`,
        variables: { id },
      }),
    });
    if (raw?.status !== 200) return false;
    const { data, errors } = raw.body;
    if (!errors && data?.[name] != null) return true;
    return name === 'deleteUser' && attempt > 1 && JSON.stringify(errors ?? '').includes('NOT_FOUND');
  }

  async #adminToken(tenant: TenantName): Promise<string | undefined> {
    const known = this.#admins.get(tenant);
    if (known !== undefined && known.until > performance.now()) return known.token;
    const token = await adminToken(this.#people.tenant(tenant), 'users:read users:write').catch(
      () => undefined,
    );
    if (token !== undefined) this.#admins.set(tenant, { token, until: performance.now() + 240_000 });
    return token;
  }

  /** Reactivates a person and signs them in anew; what they had before stays dead. */
  async #return(person: Person, giveUp: AbortSignal): Promise<Person | undefined> {
    const where = this.#people.tenant(person.tenant);
    const scim = new ScimClient(where, where.clients.scim.token);
    const activate = () =>
      scim.patch(`/Users/${person.id}`, [{ op: 'replace', path: 'active', value: true }]).then(
        ({ status }) => status,
        () => undefined,
      );
    const changes = this.#changing(person);
    while (!isSuccess(await activate())) {
      if (giveUp.aborted) return undefined;
      await sleep(200);
    }
    changes.types.push('user.reactivated');
    changes.unsure = false;
    const acknowledgedAt = performance.now();
    while (!giveUp.aborted) {
      try {
        const scope = 'openid profile offline_access';
        const signedIn = await redeem(await authorize(this.#stage.demo, where, person.user, { scope }));
        this.returns.push(performance.now() - acknowledgedAt);
        return {
          ...person,
          accessToken: signedIn.tokens.access_token,
          refreshToken: signedIn.tokens.refresh_token ?? '',
          cookie: await signedIn.browser.cookies.getCookieString(where.issuer),
        };
      } catch {
        await sleep(200);
      }
    }
    return undefined;
  }
}

const isSuccess = (status: number | undefined): boolean =>
  status !== undefined && status >= 200 && status < 300;

/** Another order for each person, and the same in each run of a seed as far as ids go: what is watched first differs. */
function shuffle<T>(all: readonly T[], key: string): T[] {
  const first = Number.parseInt(key.slice(-4), 16) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
