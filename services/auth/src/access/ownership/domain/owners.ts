import { type Caller, platformTenant } from '@ostiary/access';
import { isUuid, type Transaction, type Transactions } from '@ostiary/service';
import { currentActor, NoSuchOwner } from '../../../platform/index.ts';
import type { DirectoryGroups, SubjectStore, Subjects } from '../../../tenancy/index.ts';
import type { RoleStore } from '../../roles/domain/role-store.ts';
import { currentCallers, holdKnowers, ownerOfCaller } from './callers.ts';
import type { ConnectorOwnerStore, NamedOwner } from './connector-owner.ts';
import type { CredentialOwner, CredentialOwnerStore } from './credential-owner.ts';
import { managedGroups, owningScopeOf } from './group-managers.ts';
import type { KnownSecretStore } from './known-secret.ts';
import { type Ownable, ownableBy } from './ownable.ts';
import type { OwnerCheckStore } from './owner-checks.ts';

export interface OwnersOptions {
  database: Transactions;
  subjects: Subjects;
  groups: DirectoryGroups;
  roleStore: RoleStore;
  subjectStore: SubjectStore;
  credentialOwnerStore: CredentialOwnerStore;
  knownSecrets: KnownSecretStore;
  connectorOwners: ConnectorOwnerStore;
  ownerChecks: OwnerCheckStore;
}

export class Owners {
  readonly #o: OwnersOptions;

  constructor(options: OwnersOptions) {
    this.#o = options;
  }

  /**
   * Returns a user or group of the tenant as an owner.
   * @throws NoSuchOwner, ServiceUnavailable
   */
  async find(tenant: string, text: string): Promise<CredentialOwner> {
    const id = text.toLowerCase();
    // The platform tenant has no users and no groups.
    if (!isUuid(id) || tenant === platformTenant) throw new NoSuchOwner();
    if (await this.#o.subjects.find(tenant, id)) return { kind: 'user', id };
    if (await this.#isGroup(tenant, id)) return { kind: 'group', id };
    throw new NoSuchOwner();
  }

  /**
   * Locks an owner until the end of the transaction: an active user who may manage the object, or a group with an
   * active member who may, directly or through other groups. Must run before the object is locked, because offboarding
   * locks in this order.
   * @throws NoSuchOwner, ServiceUnavailable
   */
  async hold(tx: Transaction, tenant: string, kind: Ownable, owner: CredentialOwner): Promise<void> {
    const isThere =
      owner.kind === 'user'
        ? this.#holdUser(tx, tenant, kind, owner.id)
        : this.#holdGroup(tx, tenant, kind, owner.id);
    if (!(await isThere)) throw new NoSuchOwner();
  }

  /**
   * Locks the named owner of a new object, otherwise the caller's: the user, or the owner of the calling program.
   * Returns null if a program of the platform operator creates it.
   * @throws NoSuchOwner, ServiceUnavailable
   */
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

  /**
   * Records the owner of a connector, which provisioning stores.
   * @returns the number of the naming
   * @throws NoSuchOwner, ServiceUnavailable
   */
  nameForConnector(tenant: string, owner: CredentialOwner): Promise<number> {
    return this.#o.database.transaction((tx) => this.#name(tx, tenant, owner));
  }

  /**
   * Records the owner of a connector that these callers of another service create (null for a program of the platform
   * operator), and all users and groups that know the token that they receive.
   * @param owning true if they create a connector, which needs an owner; false if they receive a token of one
   * @throws NoSuchOwner, ServiceUnavailable
   */
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
   * A concurrent deletion of the group waits for this lock and finds the group's objects, or it was before and the
   * directory reports it. A member who is offboarded or loses the role before this commit is found by the check
   * recorded here, because the member's own check may run earlier.
   */
  async #holdGroup(tx: Transaction, tenant: string, kind: Ownable, id: string): Promise<boolean> {
    await this.#o.credentialOwnerStore.lockGroupOwner(tx, tenant, id);
    if (!(await managedGroups(this.#o, tx, tenant, [id], owningScopeOf(kind))).managed.has(id)) return false;
    await this.#o.ownerChecks.addOwnerCheck(tx, tenant, currentActor(undefined));
    return true;
  }
}
