import { setTimeout as sleep } from 'node:timers/promises';
import { ScimClient } from '../support/scim.ts';
import { adminToken, authorize, redeem } from '../support/sign-in.ts';
import { ask } from './asking.ts';
import type { People } from './people.ts';
import type { AccessPath, Person, TenantName } from './person.ts';
import type { Departure, Trigger } from './plan.ts';
import type { ChangeType } from './receivers/expectations.ts';
import type { Stage } from './stage.ts';

/** Course of one access path after an offboarding. Times are milliseconds of performance.now(). */
export interface Closing {
  door: string;
  /** Send time of the last accepted request; undefined without one. */
  openAt: number | undefined;
  /** Time of the first rejection. */
  closedAt: number | undefined;
  /** Requests without an answer or with a temporary error. */
  unavailable: number;
  /** The last status or error. */
  said: string;
  /** Id in an answer that named another user. */
  mixedUp: string | undefined;
}

export interface Left {
  person: { tenant: string; id: string };
  /** The kind of the request that offboarded the user. */
  trigger: string;
  acknowledgedAt: number;
  /** Number of requests until the acknowledgement. */
  attempts: number;
  closings: Closing[];
  /** Number of access paths that are requested from the acknowledgement on. */
  watched: number;
}

/** Changes of one user of which receivers are notified. */
export interface Changes {
  tenant: TenantName;
  id: string;
  /** Acknowledged changes, in their order. */
  types: ChangeType[];
  /** Whether the last request was not acknowledged, so that it may or may not have had its effect. */
  unsure: boolean;
}

const pause = { first: 8, longest: 250, factor: 1.5 };

/** Offboards users and requests their access paths until each is rejected. */
export class Departures {
  readonly #stage: Pick<Stage, 'demo' | 'urls'>;
  readonly #people: People;
  readonly #admins = new Map<TenantName, { token: string; until: number }>();
  readonly left: Left[] = [];
  /** Access paths of offboarded users, each rejected at least once. */
  readonly #closed: { door: AccessPath; left: Left; closing: Closing }[] = [];
  /** Number of departures of each user. */
  readonly departuresOf = new Map<string, { tenant: TenantName; id: string; count: number }>();
  readonly #changes = new Map<string, Changes>();
  /** Access paths that accepted a request after they had closed. */
  readonly reopened: { door: string; person: string; afterMs: number }[] = [];
  /** Milliseconds from each acknowledged reactivation to the first sign-in. */
  readonly returns: number[] = [];
  #under = 0;

  constructor(stage: Pick<Stage, 'demo' | 'urls'>, people: People) {
    this.#stage = stage;
    this.#people = people;
  }

  /** Number of offboardings with an access path that is not yet rejected. */
  get underWay(): number {
    return this.#under;
  }

  get changes(): readonly Changes[] {
    return [...this.#changes.values()];
  }

  /** Offboards a user and waits until every access path is rejected, or `giveUp`. */
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

  /** Requests one closed access path again. */
  async tryAgain(choose: (count: number) => number): Promise<void> {
    const some = this.#closed[choose(this.#closed.length)];
    if (some !== undefined) await this.#expectShut(some);
  }

  /** Requests every closed access path again; returns their number. */
  async tryAll(): Promise<number> {
    const queue = [...this.#closed];
    const worker = async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await this.#expectShut(next);
    };
    await Promise.all(Array.from({ length: 8 }, worker));
    return this.#closed.length;
  }

  async #expectShut({
    door,
    left,
    closing,
  }: {
    door: AccessPath;
    left: Left;
    closing: Closing;
  }): Promise<void> {
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
    const { slow, code } = await this.#concurrentAccessPaths(person);
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
    const doors = shuffle(this.#people.everyAccessPath(person), person.id);
    const watchedPaths = [...doors.slice(0, watched), ...(code ? [this.#people.codeAccessPath(person)] : [])];
    const left: Left = {
      person: { tenant: person.tenant, id: person.id },
      trigger,
      acknowledgedAt,
      attempts,
      closings: [],
      watched: watchedPaths.length,
    };
    this.left.push(left);
    const watch = (some: readonly AccessPath[]) =>
      Promise.all(some.map((door) => this.#watch(door, person, left, giveUp)));
    // Slow access paths are not part of the watched ones, whose first rejection is timed.
    await Promise.all([watch(watchedPaths), watch(slow)]);
    await watch(doors.slice(watched));
    if (!code) await watch([this.#people.codeAccessPath(person)]);
    for (const door of slow) door.close?.();
    return left.closings.every(({ closedAt }) => closedAt !== undefined);
  }

  /**
   * Returns the expensive access paths, which some users have: a password (one hash each time) and a subscription; and
   * whether the code is redeemed immediately instead of after all others are closed.
   */
  async #concurrentAccessPaths(person: Person): Promise<{ slow: AccessPath[]; code: boolean }> {
    const drawn = Number.parseInt(person.id.slice(-3), 16);
    const slow = await Promise.all([
      drawn % 3 === 0 ? this.#people.subscriptionAccessPath(person) : undefined,
      drawn % 8 === 1 ? this.#people.passwordAccessPath(person) : undefined,
    ]);
    return { slow: slow.filter((door) => door !== undefined), code: drawn % 4 === 2 };
  }

  /** The change may happen from the first request on, and is unsure until the acknowledgement. */
  #changing({ tenant, id }: Person): Changes {
    const changes = this.#changes.get(id) ?? { tenant, id, types: [], unsure: true };
    changes.unsure = true;
    this.#changes.set(id, changes);
    return changes;
  }

  async #watch(door: AccessPath, person: Person, left: Left, giveUp: AbortSignal): Promise<void> {
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

  /** Sends the change until it is acknowledged; returns the number of attempts. */
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
    // A 404 after a retry: the earlier request had its effect and its answer was lost.
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

  /** Reactivates a user and signs in again; earlier credentials stay invalid. */
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

/** Returns another order for each user, so that the watched access paths differ. */
function shuffle<T>(all: readonly T[], key: string): T[] {
  const first = Number.parseInt(key.slice(-4), 16) % all.length;
  return [...all.slice(first), ...all.slice(0, first)];
}
