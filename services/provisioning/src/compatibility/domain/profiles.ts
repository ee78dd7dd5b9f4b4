/**
 * Deviations from RFC 7644 in the requests of real identity sources, one flag each. The protocol engine stays strict.
 * A flag only enables a rewrite before it, which the function of the same name documents with its payload.
 */
export interface Quirks {
  /** "op": "Replace" → "replace" */
  readonly anyCaseOperations: boolean;
  /**
   * Paths as keys in a PATCH without path: {"name.givenName": "x"}, {"urn:…:User:employeeNumber": "7"};
   * {"emails[type eq \"work\"].value": "x"} creates the element if it is missing
   */
  readonly pathKeys: boolean;
  /** "active": "False" → false */
  readonly stringBooleans: boolean;
  /** "value": [{"$ref": null, "value": "x"}] for a single-valued attribute → "x" */
  readonly wrappedScalars: boolean;
  /** {"id": "…", "displayName": "x"} in a PATCH without path → the id is ignored */
  readonly readOnlyKeys: boolean;
  /** "manager": "id" and "manager": "" → {"value": "id"} and its removal */
  readonly bareManager: boolean;
  /** emails[primary eq "True"] → emails[primary eq true] */
  readonly quotedBooleans: boolean;
  /** remove members with a value array → one removal per element */
  readonly removeByValue: boolean;
  /** replace emails[type eq "work"].value without such an element → creates it */
  readonly replaceCreatesElement: boolean;
  /** URNs in `schemas` that are not defined here → ignored */
  readonly unknownSchemas: boolean;
  /** Core URNs of drafts in `schemas`: "urn:scim:schemas:core:1.0" → the core schema of the resource type */
  readonly draftSchemas: boolean;
  /** PATCH on a group responds 204 instead of 200 with the group */
  readonly groupPatchNoContent: boolean;
}

const none: Quirks = {
  anyCaseOperations: false,
  pathKeys: false,
  stringBooleans: false,
  wrappedScalars: false,
  readOnlyKeys: false,
  bareManager: false,
  quotedBooleans: false,
  removeByValue: false,
  replaceCreatesElement: false,
  unknownSchemas: false,
  draftSchemas: false,
  groupPatchNoContent: false,
};

const profiles = {
  /**
   * The default: accepts every deviation that has no meaning in the RFC, so that a connector works without a choice
   * of its profile. Requests to which RFC 7644 gives a meaning keep it: a replace without a target is noTarget, and
   * PATCH on a group responds 200.
   */
  auto: {
    ...none,
    anyCaseOperations: true,
    pathKeys: true,
    stringBooleans: true,
    wrappedScalars: true,
    readOnlyKeys: true,
    bareManager: true,
    quotedBooleans: true,
    removeByValue: true,
    unknownSchemas: true,
    draftSchemas: true,
  },
  /**
   * RFC 7643 and 7644 strictly. `add emails[type eq "work"].value` without such an element creates it in every
   * profile: a missing target is added (RFC 7644 §3.5.2.1).
   */
  rfc: none,
  entra: {
    ...none,
    anyCaseOperations: true,
    pathKeys: true,
    stringBooleans: true,
    wrappedScalars: true,
    bareManager: true,
    quotedBooleans: true,
    removeByValue: true,
    replaceCreatesElement: true,
    unknownSchemas: true,
    groupPatchNoContent: true,
  },
  okta: { ...none, anyCaseOperations: true, pathKeys: true, readOnlyKeys: true, stringBooleans: true },
  onelogin: {
    ...none,
    anyCaseOperations: true,
    pathKeys: true,
    removeByValue: true,
    stringBooleans: true,
    readOnlyKeys: true,
    draftSchemas: true,
  },
} satisfies Record<string, Quirks>;

export type Profile = keyof typeof profiles;

export const profileNames = Object.keys(profiles) as readonly Profile[];

export const isProfile = (text: string): text is Profile => Object.hasOwn(profiles, text);

export const quirkNames = Object.keys(none) as readonly (keyof Quirks)[];

/** Returns the flags of the profile, with the overrides of the connector. */
export const quirksOf = (profile: Profile, overrides: Partial<Quirks> = {}): Quirks => ({
  ...profiles[profile],
  ...overrides,
});

/** Parses stored overrides; flags that this release does not have are ignored. */
export function readQuirks(stored: unknown): Partial<Quirks> {
  const given = (stored ?? {}) as Record<string, unknown>;
  const known = quirkNames.filter((name) => Object.hasOwn(given, name) && typeof given[name] === 'boolean');
  return Object.fromEntries(known.map((name) => [name, given[name] as boolean]));
}
