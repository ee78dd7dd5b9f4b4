// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Results of a sign-in attempt. */
export type SignInAttemptOutcome =
  /** The attempt was not checked because of too many earlier attempts. One per minute is recorded for each network. */
  | 'DELAYED'
  /** The attempt was checked and rejected. */
  | 'FAILED'
  /** A session was started. */
  | 'SUCCEEDED';

/** Factors that can be presented at a sign-in. */
export type SignInFactor =
  /** One-time code of an authenticator app. */
  | 'ONE_TIME_CODE'
  /** Passkey. */
  | 'PASSKEY'
  /** Password. */
  | 'PASSWORD'
  /** Recovery code. */
  | 'RECOVERY_CODE';

/** Reasons for which a sign-in attempt does not succeed. */
export type SignInFailureReason =
  /** The user was deactivated, or the password was changed, during the attempt. */
  | 'ACCESS_ENDED'
  /** The user is deactivated or deleted. */
  | 'INACTIVE_USER'
  /** The user has no password. */
  | 'NO_PASSWORD'
  /** The passkey is not registered for a user of the tenant, or its signature is invalid. */
  | 'PASSKEY_REJECTED'
  /** Too many attempts on the account, from the network or in the tenant. */
  | 'TOO_MANY_ATTEMPTS'
  /** No user has the typed name. */
  | 'UNKNOWN_USER'
  /** The one-time code or recovery code was used before. */
  | 'USED_CODE'
  /** The one-time code or recovery code is incorrect. */
  | 'WRONG_CODE'
  /** The password is incorrect. */
  | 'WRONG_PASSWORD';

export type SignInsOfUserQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type SignInsOfUserQuery = { user: { id: string, signInAttempts: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, occurredAt: string, outcome: SignInAttemptOutcome, reason: SignInFailureReason | null, factors: Array<SignInFactor>, clientId: string | null, ipAddress: string | null, userAgent: string | null } | null }> } | null } | null };

export type SignInsOfUserChangedSubscriptionVariables = Exact<{
  id: string;
}>;


export type SignInsOfUserChangedSubscription = { signInAttempted: { id: string, attemptId: string } | null };

export const SignInsOfUserDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"SignInsOfUser"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"signInAttempts"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"40"}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"outcome"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"reason"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"factors"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userAgent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<SignInsOfUserQuery, SignInsOfUserQueryVariables>;

export const SignInsOfUserChangedDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"SignInsOfUserChanged"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"signInAttempted"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"userId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"attemptId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<SignInsOfUserChangedSubscription, SignInsOfUserChangedSubscriptionVariables>;
