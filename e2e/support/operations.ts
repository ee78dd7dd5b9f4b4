// Made by node e2e/graph/operations/generate.ts; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from './operation.ts';
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
   * Makes the change safe to repeat: the same caller with the same key and input has it made once within 24 hours, and is
   * answered the same. 1 to 200 characters, chosen at random.
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

/** A user, at a version if it matters. */
export type UserVersionInput = {
  /** The user's id. */
  id: string;
  /**
   * Makes the change safe to repeat: the same caller with the same key and input has it made once within 24 hours, and is
   * answered the same. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the user has changed since. */
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
