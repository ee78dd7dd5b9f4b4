// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Postal address. */
export type AddressInput = {
  /** Country code (ISO 3166-1 alpha-2). */
  country?: string | null | undefined;
  /** Complete address, formatted for display or a label. */
  formatted?: string | null | undefined;
  /** City or place. */
  locality?: string | null | undefined;
  /** Postal code. */
  postalCode?: string | null | undefined;
  /** Whether this is the preferred value. At most one value can be preferred. */
  primary?: boolean | null | undefined;
  /** State or region. */
  region?: string | null | undefined;
  /** Street and number; may have several lines. */
  streetAddress?: string | null | undefined;
  /** Type of the address, for example work, home or other. */
  type?: string | null | undefined;
};

/** Email address or telephone number. */
export type ContactInput = {
  /** Display text. */
  display?: string | null | undefined;
  /** Whether this is the preferred value. At most one value can be preferred. */
  primary?: boolean | null | undefined;
  /** Type, for example work or home. */
  type?: string | null | undefined;
  /** Address or number. */
  value: string;
};

/** Input of `createUser`. */
export type CreateUserInput = {
  /** Whether the user can sign in. Default: true. */
  active?: boolean | null | undefined;
  /** Postal addresses. */
  addresses?: Array<AddressInput> | null | undefined;
  /** Display name. */
  displayName?: string | null | undefined;
  /** Email addresses. */
  emails?: Array<ContactInput> | null | undefined;
  /** Entitlements of the user, without effect on access in this system. */
  entitlements?: Array<LabelledValueInput> | null | undefined;
  /** Attributes of the schemas of the tenant and of EnterpriseUser, by schema URN. */
  extensions?: unknown;
  /** Caller's own id for the user. */
  externalId?: string | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Instant messaging addresses. */
  ims?: Array<LabelledValueInput> | null | undefined;
  /** Locale for dates, numbers and currencies. */
  locale?: string | null | undefined;
  /** Parts of the name. */
  name?: PersonNameInput | null | undefined;
  /** Casual name of the user. */
  nickName?: string | null | undefined;
  /** Telephone numbers. */
  phoneNumbers?: Array<ContactInput> | null | undefined;
  /** URLs of pictures of the user. */
  photos?: Array<LabelledValueInput> | null | undefined;
  /** Preferred language. */
  preferredLanguage?: string | null | undefined;
  /** URL of a page about the user. */
  profileUrl?: string | null | undefined;
  /** SCIM attribute `roles`, without effect on access in this system. */
  scimRoles?: Array<LabelledValueInput> | null | undefined;
  /** Time zone. */
  timezone?: string | null | undefined;
  /** Title of the user. */
  title?: string | null | undefined;
  /** Name with which the user signs in. */
  userName: string;
  /** Relationship of the user to the organization. */
  userType?: string | null | undefined;
  /** Certificates in DER, encoded in Base64. */
  x509Certificates?: Array<LabelledValueInput> | null | undefined;
};

/** Value of a multi-valued attribute (RFC 7643 section 2.4), for example a picture, an instant messaging address or an entitlement. */
export type LabelledValueInput = {
  /** Display text. */
  display?: string | null | undefined;
  /** Whether this is the preferred value. At most one value can be preferred. */
  primary?: boolean | null | undefined;
  /** Type or purpose of the value. */
  type?: string | null | undefined;
  /** Value. */
  value: string;
};

/** Directions of an order. */
export type OrderDirection =
  /** Ascending; entries without a value are last. */
  | 'ASC'
  /** Descending; entries without a value are first. */
  | 'DESC';

/** Parts of a name. */
export type PersonNameInput = {
  /** Family name. */
  familyName?: string | null | undefined;
  /** Full name, formatted for display. */
  formatted?: string | null | undefined;
  /** Given name. */
  givenName?: string | null | undefined;
  /** Honorific prefix, for example Ms. */
  honorificPrefix?: string | null | undefined;
  /** Honorific suffix, for example III. */
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

/** Comparisons of a text, case-insensitive unless the attribute is case-exact. All given comparisons must match. */
export type TextFilter = {
  /** The value contains this text. */
  contains?: string | null | undefined;
  /** The value ends with this text. */
  endsWith?: string | null | undefined;
  /** The value equals this text. */
  equals?: string | null | undefined;
  /** The value equals one of these texts. */
  in?: Array<string> | null | undefined;
  /** There is a value (true) or none (false). */
  isPresent?: boolean | null | undefined;
  /** The value differs from this text, or there is no value. */
  notEquals?: string | null | undefined;
  /** The value starts with this text. */
  startsWith?: string | null | undefined;
};

/** Period of time; an omitted limit does not restrict. */
export type TimeFilter = {
  /** Before this time. */
  before?: string | null | undefined;
  /** At or after this time. */
  from?: string | null | undefined;
};

/** Kinds of changes of a user. */
export type UserChangeKind =
  /** The user was created. */
  | 'CREATED'
  /** The user can no longer sign in; every session and token was revoked. */
  | 'DEACTIVATED'
  /** The user was deleted. */
  | 'DELETED'
  /** The user can sign in again. */
  | 'REACTIVATED'
  /** The user was updated. */
  | 'UPDATED';

/** Restricts a list of users; an omitted field does not restrict. All given fields must match; at most 50 comparisons in 6 levels. */
export type UserFilter = {
  /** Only users who can sign in (true) or cannot (false). */
  active?: boolean | null | undefined;
  /** All of these filters match. */
  and?: Array<UserFilter> | null | undefined;
  /** Time of creation. */
  createdAt?: TimeFilter | null | undefined;
  /** Department in the EnterpriseUser extension. */
  department?: TextFilter | null | undefined;
  /** Display name. */
  displayName?: TextFilter | null | undefined;
  /** At least one of the email addresses. */
  email?: TextFilter | null | undefined;
  /** Caller's own id for the user. */
  externalId?: TextFilter | null | undefined;
  /** Family name. */
  familyName?: TextFilter | null | undefined;
  /** Given name. */
  givenName?: TextFilter | null | undefined;
  /** Only members of this group, direct or through other groups. */
  groupId?: string | null | undefined;
  /** This filter does not match. */
  not?: UserFilter | null | undefined;
  /** At least one of these filters matches. */
  or?: Array<UserFilter> | null | undefined;
  /** Title of the user. */
  title?: TextFilter | null | undefined;
  /** Time of the last change. */
  updatedAt?: TimeFilter | null | undefined;
  /** Name with which the user signs in. */
  userName?: TextFilter | null | undefined;
};

/** Order of a list of users. */
export type UserOrder = {
  /** Direction of the order. Default: ASC. */
  direction?: OrderDirection;
  /** Attribute by which the list is ordered. */
  field: UserOrderField;
};

/** Attributes by which users can be ordered. */
export type UserOrderField =
  /** Time of creation. */
  | 'CREATED_AT'
  /** Display name. */
  | 'DISPLAY_NAME'
  /** Family name. */
  | 'FAMILY_NAME'
  /** Given name. */
  | 'GIVEN_NAME'
  /** Time of the last change. */
  | 'UPDATED_AT'
  /** Name with which the user signs in. */
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
