import { type IdPage, isUuid, type Transactions, uuidv7 } from '@ostiary/service';
import type { Grants, RoleStore } from '../../../access/index.ts';
import { endIssuedOnWord, type Knowers } from '../../../access/index.ts';
import { type Claim, changesBetween, invalidRequest, type SecurityLog } from '../../../platform/index.ts';
import type { CarriedRoles, EventPublisher, RevocationFeed, SubjectStore } from '../../../tenancy/index.ts';
import type { IssuerSubject, IssuerSubjectFilter } from './issuer-subject.ts';
import type { IssuerSubjectStore } from './issuer-subject-store.ts';

export interface NewIssuerSubject {
  trustedIssuerId: string;
  subject: string;
  subjectId: string;
  carriedRoles: CarriedRoles;
}

const maxSubjectLength = 255;
/** Maximum number of bound subjects of one issuer. */
const maxSubjects = 100_000;

export interface IssuerSubjectsOptions {
  securityLog: SecurityLog;
  eventPublisher: EventPublisher;
  issuerSubjectStore: IssuerSubjectStore;
  knowers: Knowers;
  subjectStore: SubjectStore;
  roleStore: RoleStore;
  database: Transactions;
  grants: Grants;
  revocations: RevocationFeed;
  clock: () => number;
}

/**
 * Bindings of trusted issuers' subjects to users (RFC 7523 §3: `sub` identifies the principal for the issuer). Each is
 * created once by an administrator with the permissions of the user. An address or name never selects the user, because
 * another party may be able to change it.
 */
export class IssuerSubjects {
  readonly #o: IssuerSubjectsOptions;

  constructor(o: IssuerSubjectsOptions) {
    this.#o = o;
  }

  /**
   * Binds an issuer's subject to a user.
   * @param binding `carriedRoles`: roles that the caller can grant
   * @param mayBind rejects the user's current roles by throwing
   * @returns undefined when the tenant has no such issuer
   * @throws SubjectTaken; OAuthError invalid_request
   */
  async bind(
    tenant: string,
    { trustedIssuerId, subject, subjectId, carriedRoles }: NewIssuerSubject,
    mayBind: (roles: readonly string[]) => void,
    claim?: Claim,
  ): Promise<IssuerSubject | undefined> {
    if (!isUuid(trustedIssuerId)) return undefined;
    const binding: IssuerSubject = {
      id: uuidv7(),
      trustedIssuerId,
      subject: checkSubject(subject),
      subjectId,
      createdAt: new Date(this.#o.clock()),
    };
    return this.#o.database.transaction(async (tx) => {
      // Prevents a concurrent grant of a role or offboarding. Users are locked before issuers, as for an assertion:
      // events lock several users, and a transaction that holds an issuer while it waits for a user would cause a
      // deadlock.
      await this.#o.subjectStore.hold(tx, tenant, subjectId);
      const knownTo = await this.#o.knowers.holdKnowers(tx, tenant);
      const bound = await this.#o.issuerSubjectStore.holdIssuerSubjects(tx, tenant, trustedIssuerId);
      if (bound === undefined) return undefined;
      await claim?.(tx, tenant, binding.id);
      if (bound >= maxSubjects) throw invalidRequest(`An issuer has at most ${maxSubjects} bound subjects.`);
      mayBind((await this.#o.roleStore.rolesOf(tx, tenant, [subjectId])).get(subjectId) ?? []);
      await this.#o.issuerSubjectStore.insertIssuerSubject(tx, tenant, { ...binding, carriedRoles });
      await this.#o.knowers.recordKnown(tx, tenant, 'issuer_subject', binding.id, knownTo);
      await this.#o.securityLog.record(tx, tenant, entryOf('issuer_subject.bound', binding));
      return binding;
    });
  }

  /** Deletes a binding and ends everything issued through it. Returns false when the tenant has no such binding. */
  async unbind(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    if (!isUuid(id)) return false;
    const entries = await this.#o.database.transaction(async (tx) => {
      const deleted = await this.#o.issuerSubjectStore.deleteIssuerSubject(tx, tenant, id);
      if (!deleted) return undefined;
      await claim?.(tx, tenant, id);
      await this.#o.securityLog.record(tx, tenant, entryOf('issuer_subject.unbound', deleted.binding));
      return endIssuedOnWord(this.#o, tx, tenant, deleted.grants, 'issuer is no longer linked to the user');
    });
    if (entries === undefined) return false;
    await this.#o.revocations.publish(entries);
    return true;
  }

  page(tenant: string, filter: IssuerSubjectFilter, page: IdPage): Promise<IssuerSubject[]> {
    return this.#o.issuerSubjectStore.issuerSubjectPage(this.#o.database.sql, tenant, filter, page);
  }

  count(tenant: string, filter: IssuerSubjectFilter): Promise<number> {
    return this.#o.issuerSubjectStore.countIssuerSubjects(this.#o.database.sql, tenant, filter);
  }
}

/** OpenID Connect Core §2 limits `sub` to 255 ASCII characters. */
function checkSubject(subject: string): string {
  if (subject.length > maxSubjectLength || !/^[\x20-\x7e]+$/.test(subject))
    throw invalidRequest(`subject must have 1 to ${maxSubjectLength} printable ASCII characters.`);
  return subject;
}

const entryOf = (
  action: 'issuer_subject.bound' | 'issuer_subject.unbound',
  { id, trustedIssuerId, subject, subjectId }: IssuerSubject,
) => {
  const said = { trustedIssuer: trustedIssuerId, subject, user: subjectId };
  const isBound = action === 'issuer_subject.bound';
  return {
    action,
    resourceType: 'IssuerSubject' as const,
    resourceId: id,
    subjectId,
    changes: isBound ? changesBetween(undefined, said) : changesBetween(said, undefined),
  };
};
