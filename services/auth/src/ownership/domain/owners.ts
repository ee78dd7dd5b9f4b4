import { type ApiScope, platformTenant } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import { currentActor } from '../../audit/index.ts';
import { NoSuchOwner } from '../../protocol/index.ts';
import { rolesOf } from '../../roles/data/roles.ts';
import { scopesOfRoles } from '../../roles/index.ts';
import { lockSubjectForIssuing } from '../../subjects/data/subjects.ts';
import type { DirectoryGroups, Subjects } from '../../subjects/index.ts';
import { nameConnectorOwner } from '../data/connector-owners.ts';
import { lockGroupOwner, whoMakes } from '../data/credential-owners.ts';
import { addOwnerCheck } from '../data/owner-checks.ts';
import type { CredentialOwner, OwnedKind } from './credential-owner.ts';

/** All that has an owner, what provisioning keeps too. */
export type Ownable = OwnedKind | 'connector';

/**
 * Without it nobody makes or changes what is owned; so whoever loses the last role that gives it owns it no longer, and who doesn't have
 * it is given none.
 */
export const holdingScopes: Readonly<Record<Ownable, ApiScope>> = {
  client: 'clients:write',
  service_account: 'clients:write',
  api_key: 'clients:write',
  connector: 'connectors:write',
};

export const allOwnable = Object.keys(holdingScopes) as readonly Ownable[];

/** Of which kinds somebody may own things, by the roles they have now. */
export async function ownableBy(tx: Sql, tenant: string, subjectId: string): Promise<readonly Ownable[]> {
  const scopes = scopesOfRoles((await rolesOf(tx, tenant, [subjectId])).get(subjectId) ?? []);
  return allOwnable.filter((kind) => scopes.has(holdingScopes[kind]));
}

/** Who something is to belong to. */
export interface Owners {
  /**
   * Somebody by their id: a person or a group of the tenant.
   * @throws NoSuchOwner, ServiceUnavailable
   */
  find(tenant: string, id: string): Promise<CredentialOwner>;
  /**
   * Holds an owner against going away until the transaction ends: a person who is active and may manage what they are to own, or a
   * group with anybody active in it, directly or through others. Ask it before what is to be owned is locked, for a departure does it in this order.
   * @throws NoSuchOwner, ServiceUnavailable
   */
  hold(tx: Sql, tenant: string, kind: Ownable, owner: CredentialOwner): Promise<void>;
  /**
   * Holds who is named the owner of something new, else the person it is made for; null when that is nobody.
   * @throws NoSuchOwner, ServiceUnavailable
   */
  holdOwnerToBe(
    tx: Sql,
    tenant: string,
    kind: Ownable,
    named: CredentialOwner | undefined,
  ): Promise<CredentialOwner | null>;
  /**
   * Names the owner of a connector, which is another service's.
   * @returns the number of the naming
   * @throws NoSuchOwner, ServiceUnavailable
   */
  nameForConnector(tenant: string, owner: CredentialOwner): Promise<number>;
}

export function createOwners(o: {
  database: Pick<Database<unknown>, 'transaction'>;
  subjects: Pick<Subjects, 'find'>;
  groups: Pick<DirectoryGroups, 'membersAmong' | 'attended'>;
}): Owners {
  const isGroup = async (tenant: string, id: string): Promise<boolean> =>
    !(await o.groups.membersAmong(tenant, [id], [id])).missing.includes(id);

  const holdPerson = async (tx: Sql, tenant: string, kind: Ownable, id: string): Promise<boolean> =>
    (await lockSubjectForIssuing(tx, tenant, id)) !== undefined &&
    (await ownableBy(tx, tenant, id)).includes(kind);

  /**
   * Its end waits for this lock, and finds what it owns; or it was before, and the directory says so. Whoever leaves it before this
   * is committed is found by the question that is noted here, for their own news may be handled first.
   */
  async function holdGroup(tx: Sql, tenant: string, id: string): Promise<boolean> {
    await lockGroupOwner(tx, tenant, id);
    if (!(await o.groups.attended(tenant, [id])).active.has(id)) return false;
    await addOwnerCheck(tx, tenant, currentActor(undefined));
    return true;
  }

  async function hold(tx: Sql, tenant: string, kind: Ownable, owner: CredentialOwner): Promise<void> {
    const isThere =
      owner.kind === 'user' ? holdPerson(tx, tenant, kind, owner.id) : holdGroup(tx, tenant, owner.id);
    if (!(await isThere)) throw new NoSuchOwner();
  }

  return {
    async find(tenant, text) {
      const id = text.toLowerCase();
      // The platform has no people, and no groups of them.
      if (!isUuid(id) || tenant === platformTenant) throw new NoSuchOwner();
      if (await o.subjects.find(tenant, id)) return { kind: 'user', id };
      if (await isGroup(tenant, id)) return { kind: 'group', id };
      throw new NoSuchOwner();
    },
    hold,
    async holdOwnerToBe(tx, tenant, kind, named) {
      const owner = named ?? whoMakes();
      if (owner) await hold(tx, tenant, kind, owner);
      return owner ?? null;
    },
    nameForConnector: (tenant, owner) =>
      o.database.transaction(async (tx) => {
        await hold(tx, tenant, 'connector', owner);
        return nameConnectorOwner(tx, tenant, owner);
      }),
  };
}
