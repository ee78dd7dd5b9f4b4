import type { AttributeDefinition } from '@ostiary/scim';

/** The resource types that there are (RFC 7643 section 6). */
export type ResourceType = 'User' | 'Group';

/** An extension schema as its tenant has defined it. */
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

/** Everything a tenant has defined, and the version that any change of it raises. */
export interface StoredSchemas {
  version: number;
  schemas: StoredSchema[];
}
