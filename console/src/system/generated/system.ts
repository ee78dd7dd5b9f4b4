// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Algorithms that sign tokens (RFC 7518, RFC 8037). */
export type SigningAlgorithm =
  /** Ed25519: responses to clients that registered it. A tenant without such a client has no Ed25519 key. */
  | 'EDDSA'
  /** ECDSA on P-256: access tokens, and responses to clients that registered it. */
  | 'ES256'
  /** RSA-PSS: responses to clients that registered it, and ID tokens of clients with the FAPI 2.0 profile. */
  | 'PS256'
  /** RSA: ID tokens of clients that did not register another algorithm. */
  | 'RS256';

/** States of a signing key. */
export type SigningKeyState =
  /** Signing. */
  | 'CURRENT'
  /** Published, not yet signing. */
  | 'NEXT'
  /** No longer signing; published until everything it signed has expired. */
  | 'RETIRED';

export type SystemKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type SystemKeysQuery = { signingKeysConnection: { edges: Array<{ node: { id: string, algorithm: SigningAlgorithm, state: SigningKeyState, createdAt: string, activeAt: string | null, retiredAt: string | null } }> } | null };

export type SystemRoundTripQueryVariables = Exact<{ [key: string]: never; }>;


export type SystemRoundTripQuery = { me: { id: string } | null };

export const SystemKeysDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SystemKeys"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"signingKeysConnection"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"100"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"algorithm"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"state"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"activeAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"retiredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<SystemKeysQuery, SystemKeysQueryVariables>;

export const SystemRoundTripDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SystemRoundTrip"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<SystemRoundTripQuery, SystemRoundTripQueryVariables>;
