// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Conditions under which an attribute can be changed (RFC 7643 section 2.2). */
export type AttributeMutability =
  /** The value cannot be changed after it was set. */
  | 'IMMUTABLE'
  /** SCIM clients can read the value but not change it. */
  | 'READ_ONLY'
  /** The value can be changed at any time. */
  | 'READ_WRITE'
  /** The value can be changed but not read. */
  | 'WRITE_ONLY';

/** Conditions under which responses contain an attribute (RFC 7643 section 2.2). */
export type AttributeReturned =
  /** Always, regardless of the requested attributes. */
  | 'ALWAYS'
  /** Unless other attributes are requested. */
  | 'DEFAULT'
  /** Never, neither in this API nor in filters or logs. */
  | 'NEVER'
  /** Only if the attribute is requested by name or was written by the request. */
  | 'REQUEST';

/** Types of the values of an attribute (RFC 7643 section 2.3). */
export type AttributeType =
  /** Bytes, encoded in Base64. */
  | 'BINARY'
  /** True or false. */
  | 'BOOLEAN'
  /** Named sub-attributes. */
  | 'COMPLEX'
  /** Time in the format xsd:dateTime. */
  | 'DATE_TIME'
  /** Number. */
  | 'DECIMAL'
  /** Integer. */
  | 'INTEGER'
  /** URI of a resource. A referenced user or group of the tenant must exist. */
  | 'REFERENCE'
  /** Text. */
  | 'STRING';

/** Uniqueness of the values of an attribute (RFC 7643 section 2.2). */
export type AttributeUniqueness =
  /** Same as SERVER: values of other tenants are not compared. */
  | 'GLOBAL'
  /** Several resources can have the same value. */
  | 'NONE'
  /** Values are unique in the tenant. */
  | 'SERVER';

/** Input of `createSchema`. */
export type CreateSchemaInput = {
  /** Attributes, 1 to 100. */
  attributes: Array<SchemaAttributeInput>;
  /** Purpose of the schema, at most 1000 characters. */
  description?: string | null | undefined;
  /** URN of the schema, for example urn:example:hr:2.0:User. It cannot be changed later. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the schema, 1 to 100 characters. */
  name: string;
  /** Whether every resource of the type must have the schema. True is possible only while there is no resource of the type. Default: false. */
  required?: boolean | null | undefined;
  /** Resource type that can have the attributes. It cannot be changed later. Default: USER. */
  resourceType?: SchemaResourceType;
};

/** Kinds of problems. */
export type ProblemCode =
  /** The change conflicts with the current state. */
  | 'CONFLICT'
  /** The idempotency key was used for another change. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** A value of the input is invalid. */
  | 'INVALID_INPUT'
  /** The input refers to an object that does not exist. */
  | 'NOT_FOUND'
  /** Another object already has the value. */
  | 'NOT_UNIQUE'
  /** The object is at another version than the change is based on. */
  | 'VERSION_CONFLICT';

/** Attribute of an extension schema. Omitted characteristics have the defaults of RFC 7643 section 2.2. */
export type SchemaAttributeInput = {
  /** Canonical values of a STRING attribute, 1 to 200 of 1 to 200 characters. Default: none. */
  canonicalValues?: Array<string> | null | undefined;
  /** Whether comparisons of values are case-sensitive. Default: false; always true for BINARY and REFERENCE. */
  caseExact?: boolean | null | undefined;
  /** Meaning of the attribute, at most 1000 characters. */
  description?: string | null | undefined;
  /** Whether the attribute has a list of values. Default: false. */
  multiValued?: boolean | null | undefined;
  /** Conditions under which the value can be changed. Default: READ_WRITE. */
  mutability?: AttributeMutability;
  /** Name of the attribute: a letter, followed by letters, digits, - and _. */
  name: string;
  /** Types of resources to which a REFERENCE attribute can point: User, Group, external or uri; at least one. Rejected for other types. */
  referenceTypes?: Array<string> | null | undefined;
  /** Whether a resource with the schema must have a value. Default: false. */
  required?: boolean | null | undefined;
  /** Whether values other than the canonical ones are rejected. Default: true. */
  restrictToCanonicalValues?: boolean | null | undefined;
  /** Conditions under which responses contain the attribute. Default: NEVER for WRITE_ONLY, otherwise DEFAULT. */
  returned?: AttributeReturned | null | undefined;
  /** Sub-attributes of a COMPLEX attribute, at most 50. */
  subAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** Type of the values. Default: STRING. */
  type?: AttributeType;
  /** Whether two resources can have the same value. Default: NONE. */
  uniqueness?: AttributeUniqueness;
};

/** Resource types that can have the attributes of a schema. */
export type SchemaResourceType =
  /** Groups. */
  | 'GROUP'
  /** Users. */
  | 'USER';

/** Input of `deleteSchema`. */
export type SchemaVersionInput = {
  /** URN of the schema. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Input of `updateSchema`; omitted fields do not change. */
export type UpdateSchemaInput = {
  /** Purpose of the schema, at most 1000 characters. */
  description?: string | null | undefined;
  /** URN of the schema. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the schema, 1 to 100 characters. */
  name?: string | null | undefined;
  /** Names of attributes to delete with all their values. */
  removeAttributes?: Array<string> | null | undefined;
  /** Whether every resource of the type must have the schema. True is possible only if every resource of the type has it. */
  required?: boolean | null | undefined;
  /** Attributes to add, and new definitions of existing attributes. */
  setAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type SchemaListQueryVariables = Exact<{ [key: string]: never; }>;


export type SchemaListQuery = { schemasConnection: { edges: Array<{ node: { id: string, name: string, description: string, required: boolean, resourceType: SchemaResourceType, createdAt: string, updatedAt: string, version: number, attributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, subAttributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness }> }> } }> } | null };

export type ExtensionSchemaQueryVariables = Exact<{
  id: string;
}>;


export type ExtensionSchemaQuery = { schema: { id: string, name: string, description: string, required: boolean, resourceType: SchemaResourceType, createdAt: string, updatedAt: string, version: number, attributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, subAttributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness }> }> } | null };

export type CreateExtensionSchemaMutationVariables = Exact<{
  input: CreateSchemaInput;
}>;


export type CreateExtensionSchemaMutation = { createSchema: { schema: { id: string, name: string, description: string, required: boolean, resourceType: SchemaResourceType, createdAt: string, updatedAt: string, version: number, attributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, subAttributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness }> }> } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateExtensionSchemaMutationVariables = Exact<{
  input: UpdateSchemaInput;
}>;


export type UpdateExtensionSchemaMutation = { updateSchema: { schema: { id: string, name: string, description: string, required: boolean, resourceType: SchemaResourceType, createdAt: string, updatedAt: string, version: number, attributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, subAttributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness }> }> } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DeleteExtensionSchemaMutationVariables = Exact<{
  input: SchemaVersionInput;
}>;


export type DeleteExtensionSchemaMutation = { deleteSchema: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type SchemaFragment = { id: string, name: string, description: string, required: boolean, resourceType: SchemaResourceType, createdAt: string, updatedAt: string, version: number, attributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, subAttributes: Array<{ name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness }> }> };

export type AttributeFragment = { name: string, description: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness };

export const SchemaListDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SchemaList"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schemasConnection"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schema"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Attribute"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SchemaAttribute"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"multiValued"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"caseExact"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"canonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"restrictToCanonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"referenceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mutability"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"returned"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueness"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schema"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Schema"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subAttributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<SchemaListQuery, SchemaListQueryVariables>;

export const ExtensionSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ExtensionSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schema"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schema"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Attribute"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SchemaAttribute"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"multiValued"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"caseExact"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"canonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"restrictToCanonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"referenceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mutability"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"returned"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueness"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schema"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Schema"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subAttributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ExtensionSchemaQuery, ExtensionSchemaQueryVariables>;

export const CreateExtensionSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateExtensionSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateSchemaInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createSchema"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schema"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schema"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotUnique"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Attribute"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SchemaAttribute"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"multiValued"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"caseExact"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"canonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"restrictToCanonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"referenceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mutability"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"returned"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueness"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schema"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Schema"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subAttributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<CreateExtensionSchemaMutation, CreateExtensionSchemaMutationVariables>;

export const UpdateExtensionSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateExtensionSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateSchemaInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateSchema"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"schema"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Schema"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Attribute"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"SchemaAttribute"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"multiValued"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"caseExact"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"canonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"restrictToCanonicalValues"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"referenceTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mutability"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"returned"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"uniqueness"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Schema"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Schema"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"description"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resourceType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subAttributes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Attribute"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateExtensionSchemaMutation, UpdateExtensionSchemaMutationVariables>;

export const DeleteExtensionSchemaDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteExtensionSchema"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SchemaVersionInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteSchema"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<DeleteExtensionSchemaMutation, DeleteExtensionSchemaMutationVariables>;
