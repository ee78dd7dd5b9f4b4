import { setTimeout as sleep } from 'node:timers/promises';
import type { Flaw } from '@ostiary/database';
import type { HoldingFact } from '../../services/auth/src/invariants.ts';
import type { EventFact, UserFact } from '../../services/directory/src/database/data/invariants.ts';
import type { Check, Key, Limits, Sources } from './check.ts';

const keyOf = ({ tenant, id }: Key): string => `${tenant} ${id}`;

/** Maximum number of differences that are compared again; more are not caused by delays. */
const mostSuspects = 20_000;

/**
 * Invariants between services. Each side is read separately, page by page, while events may be in transit, so
 * differences are compared again after a delay.
 */
export const checksBetween = (sources: Sources, limits: Limits): Check[] => [
  users(sources, limits),
  usersOfAuth(sources, limits),
  externalIds(sources, limits),
  leftovers(sources, limits),
  groupRoles(sources, limits),
  events(sources, limits),
  tenants(sources, limits),
];

/** Compares all items in pages; a difference counts if it is found again for the same keys. */
async function persistent<Item, K>(o: {
  limits: Limits;
  page(after: Item | undefined): Promise<Item[]>;
  compare(items: readonly Item[]): Promise<{ suspect: K; flaw: Flaw }[]>;
  again(suspects: readonly K[]): Promise<Item[]>;
  report(flaw: Flaw): void;
}): Promise<number> {
  let looked = 0;
  let last: Item | undefined;
  const suspects: K[] = [];
  for (;;) {
    const items = await o.page(last);
    looked += items.length;
    for (const { suspect } of await o.compare(items))
      if (suspects.length < mostSuspects) suspects.push(suspect);
    last = items.at(-1);
    if (items.length < o.limits.batch) break;
  }
  if (suspects.length === 0) return looked;
  await sleep(o.limits.settleMs);
  for (let first = 0; first < suspects.length; first += o.limits.batch) {
    const items = await o.again(suspects.slice(first, first + o.limits.batch));
    for (const { flaw } of await o.compare(items)) o.report(flaw);
  }
  return looked;
}

/** The status of each user is the same in the directory and in auth. */
const users = ({ directory, auth }: Sources, limits: Limits): Check => ({
  name: 'users',
  says: 'Users in auth equal those of the directory, above all in whether they are active.',
  run: (report) =>
    persistent<UserFact, Key>({
      limits,
      report,
      page: (after) => directory.facts.usersAfter(directory.sql, after, limits.batch),
      again: (keys) => directory.facts.usersOf(directory.sql, keys),
      async compare(facts) {
        if (facts.length === 0) return [];
        const known = new Map(
          (await auth.facts.subjectsOf(auth.sql, facts)).map((subject) => [keyOf(subject), subject]),
        );
        return facts.flatMap((user) => {
          const subject = known.get(keyOf(user));
          const detail =
            subject === undefined
              ? 'unknown to auth'
              : subject.active !== user.active || subject.deleted
                ? `${user.active ? 'active' : 'offboarded'}, in auth ${subject.active ? 'active' : 'offboarded'}`
                : subject.version !== user.version
                  ? `version ${user.version}, in auth ${subject.version}`
                  : subject.userName !== user.userName
                    ? 'another userName in auth'
                    : undefined;
          return detail === undefined ? [] : [suspicion(user, detail)];
        });
      },
    }),
});

/** A user that the directory no longer has is deleted in auth. */
const usersOfAuth = ({ directory, auth }: Sources, limits: Limits): Check => ({
  name: 'deleted users',
  says: 'Users that the directory no longer has are deleted in auth.',
  run: (report) =>
    persistent<Key & { deleted: boolean }, Key>({
      limits,
      report,
      page: (after) => auth.facts.subjectsAfter(auth.sql, after, limits.batch),
      again: (keys) => auth.facts.subjectsOf(auth.sql, keys),
      async compare(subjects) {
        const alive = subjects.filter(({ deleted }) => !deleted);
        if (alive.length === 0) return [];
        const there = new Set((await directory.facts.usersOf(directory.sql, alive)).map(keyOf));
        return alive
          .filter((subject) => !there.has(keyOf(subject)))
          .map((subject) => suspicion(subject, 'not in the directory, and not deleted in auth'));
      },
    }),
});

const externalIds = ({ directory, provisioning }: Sources, limits: Limits): Check => ({
  name: 'externalIds',
  says: 'The externalIds of users in provisioning equal those of the directory.',
  run: (report) =>
    persistent<UserFact, Key>({
      limits,
      report,
      page: (after) => directory.facts.usersAfter(directory.sql, after, limits.batch),
      again: (keys) => directory.facts.usersOf(directory.sql, keys),
      async compare(users) {
        if (users.length === 0) return [];
        const links = new Map(
          (await provisioning.facts.linksOf(provisioning.sql, users)).map((fact) => [keyOf(fact), fact]),
        );
        return users.flatMap((user) => {
          const known = links.get(keyOf(user));
          if (known === undefined && Object.keys(user.externalIds).length === 0) return [];
          const same = canonical(known?.externalIds ?? {}) === canonical(user.externalIds);
          if (same && known?.version === user.version) return [];
          return [suspicion(user, `version ${user.version}, in provisioning ${known?.version ?? 'none'}`)];
        });
      },
    }),
});

const canonical = (ids: Record<string, string>): string => JSON.stringify(Object.entries(ids).sort());

const leftovers = ({ directory, auth }: Sources, limits: Limits): Check => ({
  name: 'leftovers',
  says: 'Users that were deleted permanently have no roles, credentials or tokens left.',
  run: (report) =>
    persistent<Key & { deleted: boolean }, Key>({
      limits,
      report,
      page: (after) => auth.facts.subjectsAfter(auth.sql, after, limits.batch),
      again: (keys) => auth.facts.subjectsOf(auth.sql, keys),
      async compare(subjects) {
        const deleted = subjects.filter((subject) => subject.deleted);
        if (deleted.length === 0) return [];
        const found = await auth.facts.leftovers(auth.sql, deleted);
        if (found.length === 0) return [];
        const kept = new Set((await directory.facts.restorable(directory.sql, found)).map(keyOf));
        return found.filter((flaw) => !kept.has(keyOf(flaw))).map((flaw) => ({ suspect: flaw, flaw }));
      },
    }),
});

/** A role from a group exists only for its members. A missing role grants no access and is not verified. */
const groupRoles = ({ directory, auth }: Sources, limits: Limits): Check => ({
  name: 'roles of groups',
  says: 'Users that have a role through a group are members of that group, directly or through other groups.',
  run: (report) =>
    persistent<HoldingFact, HoldingFact>({
      limits,
      report,
      page: (after) => auth.facts.holdingsAfter(auth.sql, after, limits.batch),
      again: (held) => auth.facts.holdingsOf(auth.sql, held),
      async compare(held) {
        if (held.length === 0) return [];
        const nameOf = ({ groupId, ...person }: Key & { groupId: string }) => `${keyOf(person)} ${groupId}`;
        const members = new Set((await directory.facts.membersAmong(directory.sql, held)).map(nameOf));
        return held
          .filter((holding) => !members.has(nameOf(holding)))
          .map((suspect) => ({
            suspect,
            flaw: suspicion(suspect, `${suspect.role}, but not in the group ${suspect.groupId}`).flaw,
          }));
      },
    }),
});

/** Every event is pending for each consumer or has been processed there. */
const events = ({ directory, auth, provisioning }: Sources, limits: Limits): Check => ({
  name: 'events',
  says: 'Every event is on its way to each consumer or has had its effect there: none is unaccounted for.',
  run: (report) =>
    persistent<EventFact, string>({
      limits,
      report,
      page: (after) => directory.facts.eventsAfter(directory.sql, after?.id, limits.batch),
      again: (ids) => directory.facts.eventsOf(directory.sql, ids),
      async compare(page) {
        const found: { suspect: string; flaw: Flaw }[] = [];
        for (const [consumer, received] of [
          ['auth', (ids: string[]) => auth.facts.received(auth.sql, ids)],
          ['provisioning', (ids: string[]) => provisioning.facts.received(provisioning.sql, ids)],
        ] as const) {
          const open = page.filter(({ underWay }) => !underWay.includes(consumer));
          if (open.length === 0) continue;
          const there = await received(open.map(({ id }) => id));
          for (const { id, tenant, type } of open) {
            if (there.has(id)) continue;
            found.push({ suspect: id, flaw: { tenant, id, detail: `${type} never reached ${consumer}` } });
          }
        }
        return found;
      },
    }),
});

const tenants = ({ directory, auth, provisioning }: Sources, limits: Limits): Check => ({
  name: 'tenants',
  says: 'auth and provisioning know every tenant as the directory has it: above all, whether it is suspended.',
  run: (report) =>
    persistent<{ id: string; status: string; version: number }, string>({
      limits: { ...limits, batch: Number.POSITIVE_INFINITY },
      report,
      page: () => directory.facts.tenants(directory.sql),
      again: () => directory.facts.tenants(directory.sql),
      async compare(all) {
        const found: { suspect: string; flaw: Flaw }[] = [];
        for (const [name, known] of [
          ['auth', await auth.facts.tenants(auth.sql)],
          ['provisioning', await provisioning.facts.tenants(provisioning.sql)],
        ] as const) {
          const byId = new Map(known.map((tenant) => [tenant.id, tenant]));
          for (const { id, status } of all) {
            const there = byId.get(id)?.status ?? 'active';
            if (there !== status)
              found.push({ suspect: id, flaw: { tenant: id, id, detail: `${status}, in ${name} ${there}` } });
          }
        }
        return found;
      },
    }),
});

const suspicion = ({ tenant, id }: Key, detail: string): { suspect: Key; flaw: Flaw } => ({
  suspect: { tenant, id },
  flaw: { tenant, id, detail },
});
