/**
 * What real identity sources send that RFC 7644 doesn't allow, one flag each. The protocol engine stays strict; a
 * flag only switches a rewrite in front of it, documented with its payload at the function of the same name.
 */
export interface Quirks {
  /** "op": "Replace" → "replace" */
  readonly anyCaseOperations: boolean;
  /**
   * {"name.givenName": "x"} and {"urn:…:User:employeeNumber": "7"} in a PATCH without path → paths; {"emails[type eq \"work\"].value": "x"}
   * makes the element if it isn't there
   */
  readonly pathKeys: boolean;
  /** "active": "False" → false */
  readonly stringBooleans: boolean;
  /** "value": [{"$ref": null, "value": "x"}] for a single-valued attribute → "x" */
  readonly wrappedScalars: boolean;
  /** {"id": "…", "displayName": "x"} in a PATCH without path → the id is left out */
  readonly readOnlyKeys: boolean;
  /** "manager": "id" and "manager": "" → {"value": "id"} and its removal */
  readonly bareManager: boolean;
  /** emails[primary eq "True"] → emails[primary eq true] */
  readonly quotedBooleans: boolean;
  /** remove members with a value array → one removal per element */
  readonly removeByValue: boolean;
  /** replace emails[type eq "work"].value without such an element → creates it */
  readonly replaceCreatesElement: boolean;
  /** URNs in `schemas` that nobody here defines → left out */
  readonly unknownSchemas: boolean;
  /** Core URNs of drafts in `schemas`: "urn:scim:schemas:core:1.0" → the core schema of the resource type */
  readonly draftSchemas: boolean;
  /** PATCH on a group answers 204 instead of 200 with the group */
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
   * The default: understands every deviation that cannot be mistaken for something else in the RFC, so a connector
   * works before anybody knows what is at its other end. Whatever RFC 7644 gives a meaning keeps that meaning: a
   * replace without a target is noTarget, and PATCH on a group answers 200.
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
   * RFC 7643 and 7644 to the letter. `add emails[type eq "work"].value` where there is no such element makes it for
   * everybody: what doesn't exist is added (RFC 7644 section 3.5.2.1).
   */
  rfc: none,
  /** Microsoft Entra ID. */
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
  /** Okta. */
  okta: { ...none, anyCaseOperations: true, pathKeys: true, readOnlyKeys: true, stringBooleans: true },
  /** OneLogin. */
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

/** What is understood: by the profile, and what was switched on or off beside it. */
export const quirksOf = (profile: Profile, overrides: Partial<Quirks> = {}): Quirks => ({
  ...profiles[profile],
  ...overrides,
});

/** Reads stored overrides; what is no flag of this release is left out. */
export function readQuirks(stored: unknown): Partial<Quirks> {
  const given = (stored ?? {}) as Record<string, unknown>;
  const known = quirkNames.filter((name) => Object.hasOwn(given, name) && typeof given[name] === 'boolean');
  return Object.fromEntries(known.map((name) => [name, given[name] as boolean]));
}
