import type { UserDeparture } from '@ostiary/events';
import type { JsonObject } from '@ostiary/scim';

/** Attributes of a resource by their canonical names. */
export type Attributes = JsonObject;

/** The identity sources that vouch for an address, by address. */
export type VouchedEmails = Readonly<Record<string, readonly string[]>>;

/** A stored User or Group. `data` is the SCIM resource without id, meta, externalId and computed attributes. */
export interface StoredResource {
  id: string;
  version: number;
  data: Attributes;
  /** The externalId of the resource at each identity source. */
  externalIds: Record<string, string>;
  /**
   * Of a user: the identity sources that vouch for each e-mail address. Addresses that the user no longer has are
   * ignored.
   */
  vouchedEmails?: VouchedEmails;
  /** Of an inactive user: the change that deactivated it. Null for a user that is active or was created inactive. */
  departure?: UserDeparture | null;
  createdAt: Date;
  updatedAt: Date;
}

/** The part of a resource that a change replaces. */
export type ResourceContent = Pick<StoredResource, 'data' | 'externalIds' | 'vouchedEmails'>;

/** Columns that are computed from a resource and the schemas of its tenant. */
export interface Derived {
  /** The values that filters compare: `foldResource` of the data. */
  folded: Attributes;
  /** The version of the schemas; a row is written only while it is the tenant's current one. */
  schemasVersion: number;
  /** Values of custom attributes that must be unique in the tenant: `uniqueKeys` of the data. */
  uniqueKeys: string[];
}
