// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** A postal address. */
export type AddressInput = {
  /** The country, as in ISO 3166-1 alpha-2. */
  country?: string | null | undefined;
  /** The whole address, formatted for display or a label. */
  formatted?: string | null | undefined;
  /** The city or place. */
  locality?: string | null | undefined;
  /** The postal code. */
  postalCode?: string | null | undefined;
  /** Whether this is the one to prefer; at most one may be. */
  primary?: boolean | null | undefined;
  /** The state or region. */
  region?: string | null | undefined;
  /** Street, number and the like, maybe in several lines. */
  streetAddress?: string | null | undefined;
  /** Such as work, home or other. */
  type?: string | null | undefined;
};

/** An e-mail address or telephone number. */
export type ContactInput = {
  /** How it is shown. */
  display?: string | null | undefined;
  /** Whether this is the one to prefer; at most one may be. */
  primary?: boolean | null | undefined;
  /** Such as work or home. */
  type?: string | null | undefined;
  /** The address or number. */
  value: string;
};

/** A new person. */
export type CreateUserInput = {
  /** Whether the person may sign in. */
  active?: boolean | null | undefined;
  /** Postal addresses. */
  addresses?: Array<AddressInput> | null | undefined;
  /** What the person is called. */
  displayName?: string | null | undefined;
  /** E-mail addresses. */
  emails?: Array<ContactInput> | null | undefined;
  /** Things the person is entitled to; they open nothing here. */
  entitlements?: Array<LabelledValueInput> | null | undefined;
  /** Attributes of the tenant's schemas, by the URN of the schema; those of EnterpriseUser too. */
  extensions?: unknown;
  /** The caller's own id for the person. */
  externalId?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** Addresses for instant messages. */
  ims?: Array<LabelledValueInput> | null | undefined;
  /** Place for dates, numbers and currencies. */
  locale?: string | null | undefined;
  /** The parts of the name. */
  name?: PersonNameInput | null | undefined;
  /** What the person is called casually. */
  nickName?: string | null | undefined;
  /** Telephone numbers. */
  phoneNumbers?: Array<ContactInput> | null | undefined;
  /** Addresses of pictures of the person. */
  photos?: Array<LabelledValueInput> | null | undefined;
  /** Language the person prefers. */
  preferredLanguage?: string | null | undefined;
  /** Address of a page about the person. */
  profileUrl?: string | null | undefined;
  /** SCIM's `roles`; they open nothing here. */
  scimRoles?: Array<LabelledValueInput> | null | undefined;
  /** Time zone. */
  timezone?: string | null | undefined;
  /** The person's title. */
  title?: string | null | undefined;
  /** What the person signs in with. */
  userName: string;
  /** What the person is to the organisation. */
  userType?: string | null | undefined;
  /** Certificates in DER, as base64. */
  x509Certificates?: Array<LabelledValueInput> | null | undefined;
};

/** One of several values (RFC 7643 section 2.4): a picture, an address for instant messages, an entitlement and the like. */
export type LabelledValueInput = {
  /** How it is shown. */
  display?: string | null | undefined;
  /** Whether this is the one to prefer; at most one may be. */
  primary?: boolean | null | undefined;
  /** What it is for, or of which kind it is. */
  type?: string | null | undefined;
  /** The value. */
  value: string;
};

/** Ascending or descending. */
export type OrderDirection =
  /** The smallest first, those without a value last. */
  | 'ASC'
  /** The largest first, those without a value before them. */
  | 'DESC';

/** The parts of a name. */
export type PersonNameInput = {
  /** The family name. */
  familyName?: string | null | undefined;
  /** The full name, formatted for display. */
  formatted?: string | null | undefined;
  /** The given name. */
  givenName?: string | null | undefined;
  /** Such as Ms. */
  honorificPrefix?: string | null | undefined;
  /** Such as III. */
  honorificSuffix?: string | null | undefined;
  /** Middle names. */
  middleName?: string | null | undefined;
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

/** Comparisons of a text, in any case unless the attribute is case-exact; all that are given hold. */
export type TextFilter = {
  /** It has this in it. */
  contains?: string | null | undefined;
  /** It ends with this. */
  endsWith?: string | null | undefined;
  /** It is this. */
  equals?: string | null | undefined;
  /** It is one of these. */
  in?: Array<string> | null | undefined;
  /** There is one, or there is none. */
  isPresent?: boolean | null | undefined;
  /** It isn't this, or there is none. */
  notEquals?: string | null | undefined;
  /** It begins with this. */
  startsWith?: string | null | undefined;
};

/** A stretch of time; what is left out doesn't narrow. */
export type TimeFilter = {
  /** Before this instant. */
  before?: string | null | undefined;
  /** From this instant on. */
  from?: string | null | undefined;
};

/** What may happen to a person. */
export type UserChangeKind =
  /** Was added. */
  | 'CREATED'
  /** May no longer sign in; every session and token has ended. */
  | 'DEACTIVATED'
  /** Was removed. */
  | 'DELETED'
  /** May sign in again. */
  | 'REACTIVATED'
  /** Was changed. */
  | 'UPDATED';

/** Narrows a list of people: all that is given holds. At most 50 comparisons, 6 levels. */
export type UserFilter = {
  /** Whether the person may sign in. */
  active?: boolean | null | undefined;
  /** All of these hold. */
  and?: Array<UserFilter> | null | undefined;
  /** When the person was added. */
  createdAt?: TimeFilter | null | undefined;
  /** The department, as the employer says. */
  department?: TextFilter | null | undefined;
  /** What the person is called. */
  displayName?: TextFilter | null | undefined;
  /** One of the e-mail addresses. */
  email?: TextFilter | null | undefined;
  /** The caller's own id for the person. */
  externalId?: TextFilter | null | undefined;
  /** The family name. */
  familyName?: TextFilter | null | undefined;
  /** The given name. */
  givenName?: TextFilter | null | undefined;
  /** Members of this group, directly or through others. */
  groupId?: string | null | undefined;
  /** This doesn't hold. */
  not?: UserFilter | null | undefined;
  /** One of these holds. */
  or?: Array<UserFilter> | null | undefined;
  /** The person's title. */
  title?: TextFilter | null | undefined;
  /** When the person was last changed. */
  updatedAt?: TimeFilter | null | undefined;
  /** What the person signs in with. */
  userName?: TextFilter | null | undefined;
};

/** In which order people are listed. */
export type UserOrder = {
  /** In which direction. */
  direction?: OrderDirection;
  /** By what. */
  field: UserOrderField;
};

/** What people can be ordered by. */
export type UserOrderField =
  /** When they were added. */
  | 'CREATED_AT'
  /** What they are called. */
  | 'DISPLAY_NAME'
  /** The family name. */
  | 'FAMILY_NAME'
  /** The given name. */
  | 'GIVEN_NAME'
  /** When they were last changed. */
  | 'UPDATED_AT'
  /** What they sign in with. */
  | 'USER_NAME';

export type PersonInListFragment = { id: string, userName: string, displayName: string | null, active: boolean, version: number, createdAt: string, updatedAt: string, title: string | null, userType: string | null, name: { givenName: string | null, familyName: string | null } | null, emails: Array<{ value: string, type: string | null, display: string | null, primary: boolean | null, verified: boolean }>, employment: { department: string | null } | null };

export type UserListQueryVariables = Exact<{
  filter?: string | null | undefined;
  where?: UserFilter | null | undefined;
  orderBy?: UserOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type UserListQuery = { users: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, userName: string, displayName: string | null, active: boolean, version: number, createdAt: string, updatedAt: string, title: string | null, userType: string | null, name: { givenName: string | null, familyName: string | null } | null, emails: Array<{ value: string, type: string | null, display: string | null, primary: boolean | null, verified: boolean }>, employment: { department: string | null } | null } | null }> } | null };

export type UserCountQueryVariables = Exact<{
  filter?: string | null | undefined;
  where?: UserFilter | null | undefined;
}>;


export type UserCountQuery = { users: { totalCount: number } | null };

export type UserListChangesSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type UserListChangesSubscription = { userChanged: { id: string, kind: UserChangeKind, version: number, user: { id: string, userName: string, displayName: string | null, active: boolean, version: number, createdAt: string, updatedAt: string, title: string | null, userType: string | null, name: { givenName: string | null, familyName: string | null } | null, emails: Array<{ value: string, type: string | null, display: string | null, primary: boolean | null, verified: boolean }>, employment: { department: string | null } | null } | null } | null };

export type AddPersonMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type AddPersonMutation = { createUser: { user: { id: string, userName: string, displayName: string | null, active: boolean, version: number, createdAt: string, updatedAt: string, title: string | null, userType: string | null, name: { givenName: string | null, familyName: string | null } | null, emails: Array<{ value: string, type: string | null, display: string | null, primary: boolean | null, verified: boolean }>, employment: { department: string | null } | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export const UserListDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UserList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UserFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UserOrder"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PersonInList"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PersonInList"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"title"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"givenName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"familyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"emails"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"display"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"primary"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"verified"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"employment"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"department"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UserListQuery, UserListQueryVariables>;

export const UserCountDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"UserCount"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"where"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UserFilter"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"where"},"value":{"kind":"Variable","name":{"kind":"Name","value":"where"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"IntValue","value":"1"}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<UserCountQuery, UserCountQueryVariables>;

export const UserListChangesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"subscription","name":{"kind":"Name","value":"UserListChanges"},"variableDefinitions":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userChanged"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"kind"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PersonInList"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PersonInList"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"title"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"givenName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"familyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"emails"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"display"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"primary"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"verified"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"employment"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"department"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UserListChangesSubscription, UserListChangesSubscriptionVariables>;

export const AddPersonDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"AddPerson"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateUserInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"createUser"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"PersonInList"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"NotUnique"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"PersonInList"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"updatedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"title"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"givenName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"familyName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"emails"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"value"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"display"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"primary"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"verified"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"employment"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"department"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<AddPersonMutation, AddPersonMutationVariables>;
