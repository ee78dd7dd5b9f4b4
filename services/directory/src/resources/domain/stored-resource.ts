import type { UserDeparture } from '@ostiary/events';
import type { JsonObject } from '@ostiary/scim';

/** Attributes of a resource by their canonical names. */
export type Attributes = JsonObject;

/** By address, the identity sources that vouch for it. */
export type VouchedEmails = Readonly<Record<string, readonly string[]>>;

/** A User or Group as it is kept: `data` is the SCIM resource without id, meta, externalId and computed attributes. */
export interface StoredResource {
  id: string;
  version: number;
  data: Attributes;
  /** The externalId each identity source knows the resource by. */
  externalIds: Record<string, string>;
  /** Of a user: which identity sources vouch for which of the e-mail addresses. What isn't an address of the user means nothing. */
  vouchedEmails?: VouchedEmails;
  /** Of an inactive user: the change that deactivated it. Null for a user that is active or was created inactive. */
  departure?: UserDeparture | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What is kept beside a resource, made from it by the schemas of its tenant. */
export interface Derived {
  /** What filters compare with: `foldResource` of the data. */
  folded: Attributes;
  /** The version of the schemas; a row is only written while they are the tenant's. */
  schemasVersion: number;
  /** Values of custom attributes that nothing else in the tenant may have: `uniqueKeys` of the data. */
  uniqueKeys: string[];
}
