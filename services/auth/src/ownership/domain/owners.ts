import { type ApiScope, type Caller, platformTenant } from '@ostiary/access';
import { isUuid, type Transaction, type Transactions } from '@ostiary/service';
import { currentActor } from '../../audit/index.ts';
import { NoSuchOwner } from '../../protocol/index.ts';
import { type RoleStore, scopesOfRoles } from '../../roles/index.ts';
import type { DirectoryGroups, SubjectStore, Subjects } from '../../subjects/index.ts';
import { currentCallers, holdKnowers, ownerOfCaller } from './callers.ts';
import type { ConnectorOwnerStore, NamedOwner } from './connector-owner.ts';
import type { CredentialOwner, CredentialOwnerStore, OwnedKind } from './credential-owner.ts';
import type { OwnerCheckStore } from './owner-checks.ts';

/** All that ends with a user, what provisioning keeps too. */
export type Ownable = OwnedKind | 'connector' | 'invitation';

/**
 * Without it nobody makes or changes what is owned; so whoever loses the last role that gives it owns it no longer, and who doesn't have
 * it is given none.
 */
export const holdingScopes: Readonly<Record<Ownable, ApiScope>> = {
  client: 'clients:write',
  service_account: 'clients:write',
  api_key: 'clients:write',
  connector: 'connectors:write',
  invitation: 'access:write',
};

export const allOwnable = Object.keys(holdingScopes) as readonly Ownable[];

/** Of which kinds somebody may own things, by the roles they have now. */
export async function ownableBy(
  o: { roleStore: Pick<RoleStore, 'rolesOf'> },
  tx: Transaction,
  tenant: string,
  subjectId: string,
): Promise<readonly Ownable[]> {
  const scopes = scopesOfRoles((await o.roleStore.rolesOf(tx, tenant, [subjectId])).get(subjectId) ?? []);
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
  hold(tx: Transaction, tenant: string, kind: Ownable, owner: CredentialOwner): Promise<void>;
  /**
   * Holds the named owner of something new, otherwise the caller's: the user, or the owner of the calling program. Null when a program
   * of the platform operator creates it.
   * @throws NoSuchOwner, ServiceUnavailable
   */
  holdOwnerToBe(
    tx: Transaction,
    tenant: string,
    kind: Ownable,
    named: CredentialOwner | undefined,
    callers?: readonly Caller[],
  ): Promise<CredentialOwner | null>;
  /**
   * Names the owner of a connector, which is another service's.
   * @returns the number of the naming
   * @throws NoSuchOwner, ServiceUnavailable
   */
  nameForConnector(tenant: string, owner: CredentialOwner): Promise<number>;
  /**
   * Names the owner of a connector that these callers of another service create, null when a program of the platform operator does, and
   * everyone who knows the token that they receive.
   * @param owning whether they create a connector, which needs an owner; otherwise they receive a token of one
   * @throws NoSuchOwner, ServiceUnavailable
   */
  nameCallersForConnector(
    tenant: string,
    callers: readonly Caller[],
    owning: boolean,
  ): Promise<{ owner: NamedOwner | null; knownTo: NamedOwner[] }>;
}

export interface DirectoryOwnersOptions {
  database: Pick<Transactions, 'transaction'>;
  subjects: Pick<Subjects, 'find'>;
  groups: Pick<DirectoryGroups, 'membersAmong' | 'attended'>;
  roleStore: Pick<RoleStore, 'rolesOf'>;
  subjectStore: Pick<SubjectStore, 'lockForIssuing'>;
  credentialOwnerStore: Pick<CredentialOwnerStore, 'lockGroupOwner' | 'standingOf'>;
  connectorOwners: Pick<ConnectorOwnerStore, 'nameConnectorOwner'>;
  ownerChecks: Pick<OwnerCheckStore, 'addOwnerCheck'>;
}

/** People and groups of the directory as owners. */
export class DirectoryOwners implements Owners {
  readonly #o: DirectoryOwnersOptions;

  constructor(options: DirectoryOwnersOptions) {
    this.#o = options;
  }

  async find(tenant: string, text: string): Promise<CredentialOwner> {
    const id = text.toLowerCase();
    // The platform has no people, and no groups of them.
    if (!isUuid(id) || tenant === platformTenant) throw new NoSuchOwner();
    if (await this.#o.subjects.find(tenant, id)) return { kind: 'user', id };
    if (await this.#isGroup(tenant, id)) return { kind: 'group', id };
    throw new NoSuchOwner();
  }

  async hold(tx: Transaction, tenant: string, kind: Ownable, owner: CredentialOwner): Promise<void> {
    const isThere =
      owner.kind === 'user'
        ? this.#holdUser(tx, tenant, kind, owner.id)
        : this.#holdGroup(tx, tenant, owner.id);
    if (!(await isThere)) throw new NoSuchOwner();
  }

  async holdOwnerToBe(
    tx: Transaction,
    tenant: string,
    kind: Ownable,
    named: CredentialOwner | undefined,
    callers: readonly Caller[] = currentCallers(),
  ): Promise<CredentialOwner | null> {
    const owner = named ?? (await this.#ownerOf(tx, tenant, callers));
    if (owner) await this.hold(tx, tenant, kind, owner);
    return owner;
  }

  nameForConnector(tenant: string, owner: CredentialOwner): Promise<number> {
    return this.#o.database.transaction((tx) => this.#name(tx, tenant, owner));
  }

  nameCallersForConnector(
    tenant: string,
    callers: readonly Caller[],
    owning: boolean,
  ): Promise<{ owner: NamedOwner | null; knownTo: NamedOwner[] }> {
    return this.#o.database.transaction(async (tx) => {
      const knownTo: NamedOwner[] = [];
      for (const knower of await holdKnowers(this.#o, tx, tenant, callers)) {
        const named = await this.#o.connectorOwners.nameConnectorOwner(tx, tenant, knower);
        knownTo.push({ ...knower, named });
      }
      const owner = owning ? await this.#ownerOf(tx, tenant, callers) : null;
      return { owner: owner && { ...owner, named: await this.#name(tx, tenant, owner) }, knownTo };
    });
  }

  #ownerOf(tx: Transaction, tenant: string, [caller]: readonly Caller[]): Promise<CredentialOwner | null> {
    return ownerOfCaller(this.#o.credentialOwnerStore, tx, tenant, caller);
  }

  async #name(tx: Transaction, tenant: string, owner: CredentialOwner): Promise<number> {
    await this.hold(tx, tenant, 'connector', owner);
    return this.#o.connectorOwners.nameConnectorOwner(tx, tenant, owner);
  }

  async #isGroup(tenant: string, id: string): Promise<boolean> {
    return !(await this.#o.groups.membersAmong(tenant, [id], [id])).missing.includes(id);
  }

  async #holdUser(tx: Transaction, tenant: string, kind: Ownable, id: string): Promise<boolean> {
    return (
      (await this.#o.subjectStore.lockForIssuing(tx, tenant, id)) !== undefined &&
      (await ownableBy(this.#o, tx, tenant, id)).includes(kind)
    );
  }

  /**
   * Its end waits for this lock, and finds what it owns; or it was before, and the directory says so. Whoever leaves it before this
   * is committed is found by the question that is noted here, for their own news may be handled first.
   */
  async #holdGroup(tx: Transaction, tenant: string, id: string): Promise<boolean> {
    await this.#o.credentialOwnerStore.lockGroupOwner(tx, tenant, id);
    if (!(await this.#o.groups.attended(tenant, [id])).active.has(id)) return false;
    await this.#o.ownerChecks.addOwnerCheck(tx, tenant, currentActor(undefined));
    return true;
  }
}
