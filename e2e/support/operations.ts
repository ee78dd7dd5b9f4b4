// Made by node e2e/graph/operations/generate.ts; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from './operation.ts';
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

/** Input of `deactivateUser`, `reactivateUser` and `deleteUser`. */
export type UserVersionInput = {
  /** Id of the user. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type PeopleQueryVariables = Exact<{
  first: number;
  after?: string | null | undefined;
}>;


export type PeopleQuery = { users: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, userName: string, displayName: string | null, active: boolean, emails: Array<{ value: string, type: string | null, primary: boolean | null }>, groups: Array<{ id: string, displayName: string }> | null, sessions: Array<{ id: string, createdAt: string, lastSeenAt: string }> | null, provisioning: Array<{ externalId: string | null, lastChangedAt: string | null, source: { name: string } }> | null } | null }> } | null };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, userName: string, displayName: string | null, emails: Array<{ value: string }>, groups: Array<{ id: string, displayName: string }> | null, sessions: Array<{ id: string, lastSeenAt: string }> | null } | null };

export type PersonQueryVariables = Exact<{
  id: string;
}>;


export type PersonQuery = { user: { id: string, userName: string, active: boolean, version: number } | null };

export type CreatePersonMutationVariables = Exact<{
  input: CreateUserInput;
}>;


export type CreatePersonMutation = { createUser: { user: { id: string, userName: string, version: number } | null } | null };

export type DeactivatePersonMutationVariables = Exact<{
  input: UserVersionInput;
}>;


export type DeactivatePersonMutation = { deactivateUser: { user: { id: string, active: boolean, version: number } | null } | null };

export const People = operation<PeopleQuery, PeopleQueryVariables>(`
query People($first: Int!, $after: String) {
  users(first: $first, after: $after) {
    totalCount
    pageInfo {
      hasNextPage
      endCursor
    }
    edges {
      node {
        id
        userName
        displayName
        active
        emails {
          value
          type
          primary
        }
        groups {
          id
          displayName
        }
        sessions {
          id
          createdAt
          lastSeenAt
        }
        provisioning {
          source {
            name
          }
          externalId
          lastChangedAt
        }
      }
    }
  }
}
`);

export const Me = operation<MeQuery, MeQueryVariables>(`
query Me {
  me {
    id
    userName
    displayName
    emails {
      value
    }
    groups {
      id
      displayName
    }
    sessions {
      id
      lastSeenAt
    }
  }
}
`);

export const Person = operation<PersonQuery, PersonQueryVariables>(`
query Person($id: ID!) {
  user(id: $id) {
    id
    userName
    active
    version
  }
}
`);

export const CreatePerson = operation<CreatePersonMutation, CreatePersonMutationVariables>(`
mutation CreatePerson($input: CreateUserInput!) {
  createUser(input: $input) {
    user {
      id
      userName
      version
    }
  }
}
`);

export const DeactivatePerson = operation<DeactivatePersonMutation, DeactivatePersonMutationVariables>(`
mutation DeactivatePerson($input: UserVersionInput!) {
  deactivateUser(input: $input) {
    user {
      id
      active
      version
    }
  }
}
`);
