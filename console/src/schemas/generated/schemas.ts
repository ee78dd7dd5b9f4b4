// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Who may change an attribute when (RFC 7643 section 2.2). */
export type AttributeMutability =
  /** A value that is set stays. */
  | 'IMMUTABLE'
  /** SCIM clients see it and don't change it. */
  | 'READ_ONLY'
  /** It can be changed at any time. */
  | 'READ_WRITE'
  /** It can be changed and never be seen. */
  | 'WRITE_ONLY';

/** When an attribute is part of an answer (RFC 7643 section 2.2). */
export type AttributeReturned =
  /** Whatever is asked for. */
  | 'ALWAYS'
  /** Unless something else is asked for. */
  | 'DEFAULT'
  /** Never: neither here, nor in filters or logs. */
  | 'NEVER'
  /** When it is asked for by name, or was just written. */
  | 'REQUEST';

/** The type of an attribute's values (RFC 7643 section 2.3). */
export type AttributeType =
  /** Bytes in base64. */
  | 'BINARY'
  /** True or false. */
  | 'BOOLEAN'
  /** Parts with names of their own. */
  | 'COMPLEX'
  /** An instant as in xsd:dateTime. */
  | 'DATE_TIME'
  /** A number. */
  | 'DECIMAL'
  /** A whole number. */
  | 'INTEGER'
  /** The address of something; of a user or group of the tenant, it has to exist. */
  | 'REFERENCE'
  /** A text. */
  | 'STRING';

/** Whether two resources can have the same value (RFC 7643 section 2.2). */
export type AttributeUniqueness =
  /** Kept like SERVER: values of other tenants stay theirs. */
  | 'GLOBAL'
  /** They can. */
  | 'NONE'
  /** They can't within the tenant. */
  | 'SERVER';

/** A new extension schema. */
export type CreateSchemaInput = {
  /** The attributes, 1 to 100. */
  attributes: Array<SchemaAttributeInput>;
  /** What the schema is for. */
  description?: string | null | undefined;
  /** Its URN, for instance urn:example:hr:2.0:User. It can't be changed. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What the schema is called. */
  name: string;
  /** Whether every resource of the type must have it; only where there are none yet. */
  required?: boolean | null | undefined;
  /** The resources that can have its attributes. It can't be changed. */
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

/** An attribute of an extension schema. What is left out is as RFC 7643 section 2.2 has it. */
export type SchemaAttributeInput = {
  /** Values it is meant to have. */
  canonicalValues?: Array<string> | null | undefined;
  /** Whether case matters when values are compared; false unless said, always true for BINARY and REFERENCE. */
  caseExact?: boolean | null | undefined;
  /** What the attribute means. */
  description?: string | null | undefined;
  /** Whether it has a list of values. */
  multiValued?: boolean | null | undefined;
  /** Who may change it when. */
  mutability?: AttributeMutability;
  /** The name: a letter, then letters, digits, - and _. */
  name: string;
  /** What a reference can point to: User, Group, external or uri. */
  referenceTypes?: Array<string> | null | undefined;
  /** Whether a resource that uses the schema must have a value. */
  required?: boolean | null | undefined;
  /** Whether values other than the canonical ones are refused; true unless said. */
  restrictToCanonicalValues?: boolean | null | undefined;
  /** When it is part of an answer; DEFAULT unless said, NEVER where it is WRITE_ONLY. */
  returned?: AttributeReturned | null | undefined;
  /** The parts of a COMPLEX attribute. */
  subAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** The type of its values. */
  type?: AttributeType;
  /** Whether two resources can have the same value. */
  uniqueness?: AttributeUniqueness;
};

/** Which resources can have the attributes of a schema. */
export type SchemaResourceType =
  /** Groups. */
  | 'GROUP'
  /** People. */
  | 'USER';

/** An extension schema, at a version if it matters. */
export type SchemaVersionInput = {
  /** The schema's URN. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the schema has changed since. */
  version?: number | null | undefined;
};

/** Changes to an extension schema: what is left out stays. */
export type UpdateSchemaInput = {
  /** What the schema is for. */
  description?: string | null | undefined;
  /** The schema's URN. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What the schema is called. */
  name?: string | null | undefined;
  /** Names of attributes to remove with all their values. */
  removeAttributes?: Array<string> | null | undefined;
  /** Whether every resource of the type must have it; it can become true when all of them do. */
  required?: boolean | null | undefined;
  /** Attributes to add, and new definitions of those that exist. */
  setAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the schema has changed since. */
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
