import type { Transaction } from '@ostiary/service';
import type { ClientKey } from '../../clients/index.ts';
import type { AssertedGrant } from './asserted-grant.ts';

/** Somebody outside whose signed word on who a person is counts here (RFC 7523 §2.1), for those it was bound to. */
export interface TrustedIssuer {
  id: string;
  name: string;
  /** `iss` of its assertions, compared byte for byte. */
  issuer: string;
  /** Its public keys; null when they are at `jwksUri`. */
  keys: readonly ClientKey[] | null;
  jwksUri: string | null;
  /** Clients that may present its assertions. */
  clientIds: string[];
  /** The most they get that way. */
  scopes: string[];
  /** Grows with every change. */
  version: number;
  createdAt: Date;
}

/** The issuers that a tenant trusts. */
export interface TrustedIssuerStore {
  findTrustedIssuer(sql: Transaction, tenant: string, issuer: string): Promise<TrustedIssuer | undefined>;
  /** All of a tenant, in the order they were added. */
  listTrustedIssuers(sql: Transaction, tenant: string): Promise<TrustedIssuer[]>;
  /** Adds one unless the tenant has `most` already; then false. @throws OAuthError invalid_request for a known issuer */
  insertTrustedIssuer(tx: Transaction, tenant: string, issuer: TrustedIssuer, most: number): Promise<boolean>;
  /** Removes one. @returns what it was, and the grants that live by it and end with it. Undefined when the tenant has no such issuer. */
  deleteTrustedIssuer(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<
    { issuer: TrustedIssuer; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
  >;
  /** Writes the grant; the Unix second it ends. Undefined when person, client or issuer ended or changed meanwhile. */
  openAssertedGrant(sql: Transaction, tenant: string, grant: AssertedGrant): Promise<number | undefined>;
}
