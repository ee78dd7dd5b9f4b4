import { isUuid, readWebAddress, type Transactions, uuidv7 } from '@ostiary/service';
import type { Grants } from '../../../access/index.ts';
import { endIssuedOnWord, isKnownScope, type Knowers } from '../../../access/index.ts';
import { type ClientStore, checkAuthenticationKeys, refusePrivateAddresses } from '../../../clients/index.ts';
import {
  type ChangeTerms,
  type Claim,
  changesBetween,
  invalidRequest,
  requireVersion,
  type SecurityLog,
} from '../../../platform/index.ts';
import type { EventPublisher, RevocationFeed } from '../../../tenancy/index.ts';
import type { TrustedIssuer, TrustedIssuerStore } from './trusted-issuer-store.ts';

export interface NewTrustedIssuer {
  name: string;
  issuer: string;
  jwks?: unknown;
  jwksUri?: string | undefined;
  clientIds: readonly string[];
  scopes: readonly string[];
}

const maxIssuers = 100;

export interface TrustedIssuersOptions {
  securityLog: SecurityLog;
  eventPublisher: EventPublisher;
  trustedIssuerStore: TrustedIssuerStore;
  knowers: Knowers;
  database: Transactions;
  clients: ClientStore;
  grants: Grants;
  revocations: RevocationFeed;
  issuer: (tenant: string) => string;
  /** Allows keys in a private network. */
  allowPrivate: boolean;
  clock: () => number;
}

export class TrustedIssuers {
  readonly #o: TrustedIssuersOptions;

  constructor(o: TrustedIssuersOptions) {
    this.#o = o;
  }

  /** @throws OAuthError invalid_request, invalid_client_metadata */
  async create(tenant: string, input: NewTrustedIssuer, claim?: Claim): Promise<TrustedIssuer> {
    const issuer: TrustedIssuer = {
      id: uuidv7(),
      name: checkName(input.name),
      issuer: checkIssuer(input.issuer, this.#o.issuer(tenant)),
      ...checkKeys(input, this.#o),
      clientIds: [...new Set(input.clientIds)],
      scopes: checkScopes(input.scopes),
      version: 1,
      createdAt: new Date(this.#o.clock()),
    };
    if (issuer.clientIds.length === 0 || issuer.clientIds.length > 100) {
      throw invalidRequest('An issuer requires 1 to 100 clients that can present its assertions.');
    }
    for (const clientId of issuer.clientIds) {
      if (!(await this.#o.clients.find(tenant, clientId)))
        throw invalidRequest('Each client of the issuer must exist.');
    }
    const inserted = await this.#o.database.transaction(async (tx) => {
      const knownTo = await this.#o.knowers.holdKnowers(tx, tenant);
      if (!(await this.#o.trustedIssuerStore.insertTrustedIssuer(tx, tenant, issuer, maxIssuers)))
        return false;
      await this.#o.knowers.recordKnown(tx, tenant, 'trusted_issuer', issuer.id, knownTo);
      await claim?.(tx, tenant, issuer.id);
      await this.#o.securityLog.record(tx, tenant, {
        action: 'trusted_issuer.created',
        resourceType: 'TrustedIssuer',
        resourceId: issuer.id,
        changes: changesBetween(undefined, given(issuer)),
      });
      return true;
    });
    if (!inserted) {
      throw invalidRequest(`A tenant has at most ${maxIssuers} trusted issuers.`);
    }
    return issuer;
  }

  list(tenant: string): Promise<TrustedIssuer[]> {
    return this.#o.trustedIssuerStore.listTrustedIssuers(this.#o.database.sql, tenant);
  }

  /**
   * Deletes an issuer and ends everything issued on its assertions. Returns false when the tenant has no such issuer.
   * @throws VersionChanged
   */
  async remove(tenant: string, id: string, terms: ChangeTerms = {}): Promise<boolean> {
    if (!isUuid(id)) return false;
    const entries = await this.#o.database.transaction(async (tx) => {
      const deleted = await this.#o.trustedIssuerStore.deleteTrustedIssuer(tx, tenant, id);
      if (!deleted) return undefined;
      await terms.claim?.(tx, tenant, id);
      requireVersion(terms, deleted.issuer.version);
      await this.#o.securityLog.record(tx, tenant, {
        action: 'trusted_issuer.deleted',
        resourceType: 'TrustedIssuer',
        resourceId: deleted.issuer.id,
        changes: changesBetween(given(deleted.issuer), undefined),
      });
      return endIssuedOnWord(this.#o, tx, tenant, deleted.grants, 'issuer no longer trusted');
    });
    if (entries === undefined) return false;
    await this.#o.revocations.publish(entries);
    return true;
  }
}

function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 200 || /\p{C}/u.test(name)) {
    throw invalidRequest('name must have 1 to 200 printable characters.');
  }
  return name;
}

function checkIssuer(issuer: string, own: string): string {
  if (issuer.length > 2_048 || !/^[\x21-\x7e]+$/.test(issuer) || issuer === own || isUuid(issuer)) {
    throw invalidRequest(
      'issuer must have at most 2048 printable ASCII characters without spaces, and must not be this server.',
    );
  }
  const address = /^https?:/i.test(issuer) ? readWebAddress(issuer) : undefined;
  if (typeof address === 'string') throw invalidRequest(`issuer ${address}.`);
  return issuer;
}

function checkKeys(
  input: NewTrustedIssuer,
  policy: { allowPrivate: boolean },
): Pick<TrustedIssuer, 'keys' | 'jwksUri'> {
  refusePrivateAddresses({ jwks_uri: input.jwksUri }, policy);
  const { jwks, jwks_uri: uri } = checkAuthenticationKeys('private_key_jwt', {
    client_name: '',
    ...(input.jwks === undefined ? {} : { jwks: input.jwks }),
    ...(input.jwksUri === undefined ? {} : { jwks_uri: input.jwksUri }),
  });
  return { keys: jwks?.keys ?? null, jwksUri: uri ?? null };
}

function checkScopes(scopes: readonly string[]): string[] {
  const distinct = [...new Set(scopes)];
  if (distinct.length === 0 || !distinct.every(isKnownScope) || distinct.includes('offline_access')) {
    throw invalidRequest('An issuer requires at least one scope. offline_access is not allowed.');
  }
  return distinct;
}

/** Returns the members that an administrator sets. */
const given = ({ id: _id, version: _version, createdAt: _createdAt, ...said }: TrustedIssuer): object => said;
