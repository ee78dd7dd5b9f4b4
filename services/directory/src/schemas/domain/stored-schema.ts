import type { AttributeDefinition } from '@ostiary/scim';

/** The resource types (RFC 7643 §6). */
export type ResourceType = 'User' | 'Group';

/** An extension schema that a tenant has defined. */
export interface StoredSchema {
  urn: string;
  name: string;
  description: string;
  resourceType: ResourceType;
  required: boolean;
  attributes: AttributeDefinition[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

/** All schemas of a tenant, with the version that every change increments. */
export interface StoredSchemas {
  version: number;
  schemas: StoredSchema[];
}
