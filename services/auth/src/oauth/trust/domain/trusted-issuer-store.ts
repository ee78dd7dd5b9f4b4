import type { Transaction } from '@ostiary/service';
import type { ClientKey } from '../../../clients/index.ts';
import type { AssertedGrant } from './asserted-grant.ts';

/** An external issuer whose signed assertions about bound subjects are accepted (RFC 7523 §2.1). */
export interface TrustedIssuer {
  id: string;
  name: string;
  /** `iss` of its assertions, compared byte for byte. */
  issuer: string;
  /** Public keys; null when they are at `jwksUri`. */
  keys: readonly ClientKey[] | null;
  jwksUri: string | null;
  /** Clients that may present its assertions. */
  clientIds: string[];
  /** Maximum scopes of tokens issued on its assertions. */
  scopes: string[];
  /** Incremented with every change. */
  version: number;
  createdAt: Date;
}

export interface TrustedIssuerStore {
  findTrustedIssuer(sql: Transaction, tenant: string, issuer: string): Promise<TrustedIssuer | undefined>;
  /** Returns all issuers of a tenant in order of creation. */
  listTrustedIssuers(sql: Transaction, tenant: string): Promise<TrustedIssuer[]>;
  /**
   * Inserts an issuer. Returns false when the tenant already has `most`.
   * @throws OAuthError invalid_request for a known issuer
   */
  insertTrustedIssuer(tx: Transaction, tenant: string, issuer: TrustedIssuer, most: number): Promise<boolean>;
  /**
   * Deletes an issuer.
   * @returns the issuer and the grants that end with it; undefined when the tenant has no such issuer
   */
  deleteTrustedIssuer(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<
    { issuer: TrustedIssuer; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
  >;
  /**
   * Stores the grant and returns its expiry in Unix seconds. Returns undefined when user, client or issuer ended or
   * changed in the meantime.
   */
  openAssertedGrant(sql: Transaction, tenant: string, grant: AssertedGrant): Promise<number | undefined>;
}
