// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
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

/** Which signing keys are replaced, and how. */
export type RotateSigningKeysInput = {
  /** All unless said. */
  algorithms?: Array<SigningAlgorithm> | null | undefined;
  /** Whether the keys may be in other hands: removes them now, and what they signed is refused. */
  compromised?: boolean | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
};

/** What a token is signed with (RFC 7518, RFC 8037). */
export type SigningAlgorithm =
  /** Ed25519: answers to clients that registered it. A tenant without one has no such key. */
  | 'EDDSA'
  /** ECDSA on P-256: access tokens. */
  | 'ES256'
  /** RSA with PSS: answers to clients that registered it, and ID tokens of clients under the FAPI 2.0 profile. */
  | 'PS256'
  /** RSA: ID tokens of clients that registered nothing else. */
  | 'RS256';

/** Where a signing key is in its life. */
export type SigningKeyState =
  /** Signs. */
  | 'CURRENT'
  /** Published, doesn't sign yet. */
  | 'NEXT'
  /** No longer signs; published until what it signed has expired. */
  | 'RETIRED';

export type SigningKeysQueryVariables = Exact<{ [key: string]: never; }>;


export type SigningKeysQuery = { signingKeysConnection: { edges: Array<{ node: { id: string, algorithm: SigningAlgorithm, state: SigningKeyState, createdAt: string, activeAt: string | null, retiredAt: string | null } }> } | null };

export type RotateSigningKeysMutationVariables = Exact<{
  input: RotateSigningKeysInput;
}>;


export type RotateSigningKeysMutation = { rotateSigningKeys: { signingKeys: Array<{ id: string, algorithm: SigningAlgorithm, state: SigningKeyState, createdAt: string, activeAt: string | null, retiredAt: string | null }> | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export const SigningKeys = operation<SigningKeysQuery, SigningKeysQueryVariables>('SigningKeys', "query SigningKeys{signingKeysConnection(first:100){edges{node{id algorithm state createdAt activeAt retiredAt}}}}");

export const RotateSigningKeys = operation<RotateSigningKeysMutation, RotateSigningKeysMutationVariables>('RotateSigningKeys', "mutation RotateSigningKeys($input:RotateSigningKeysInput!){rotateSigningKeys(input:$input){signingKeys{id algorithm state createdAt activeAt retiredAt}problems{code message}}}");
