import type { UserDeparture } from '@ostiary/events';
import type { SubjectProfile } from './subject.ts';
import type { UserChange } from './user-change.ts';

interface EmailOfUser {
  value?: string;
  type?: string;
  primary?: boolean;
  /** Requested with `verified`; no part of SCIM. */
  verified?: boolean;
}

/** Part of a SCIM User (RFC 7643 §4.1) that this service reads, as the directory's internal API sends it. */
export interface DirectoryUser {
  id: string;
  userName: string;
  active?: boolean;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  emails?: readonly EmailOfUser[];
  locale?: string;
  preferredLanguage?: string;
  timezone?: string;
  meta?: { version?: string; lastModified?: string };
  /** For an inactive user; null if the user was never active. Requested with `verified`; no part of SCIM. */
  departure?: UserDeparture | null;
}

/** Converts an answer of the directory to an update of a subject; undefined if it is not a versioned user. */
export function userChangeFromDirectory(user: DirectoryUser): UserChange | undefined {
  const version = /^(?:W\/)?"?(\d{1,18})"?$/.exec(user.meta?.version ?? '')?.[1];
  if (version === undefined || typeof user.id !== 'string' || typeof user.userName !== 'string')
    return undefined;
  return {
    id: user.id,
    version: BigInt(version),
    active: user.active !== false,
    deleted: false,
    restorable: false,
    reactivated: false,
    departure: user.departure,
    profile: profileOf({ ...user, zoneinfo: user.timezone, changedAt: user.meta?.lastModified }),
  };
}

/** Returns the profile for claims from a description of a user. */
export function profileOf(user: {
  userName: string;
  displayName?: string | undefined;
  name?: SubjectProfile['name'] | undefined;
  emails?: readonly EmailOfUser[] | undefined;
  locale?: string | undefined;
  preferredLanguage?: string | undefined;
  zoneinfo?: string | undefined;
  changedAt?: string | undefined;
}): SubjectProfile {
  const locale = user.locale ?? firstLanguage(user.preferredLanguage);
  return {
    userName: user.userName,
    emails: (user.emails ?? []).flatMap(({ value, type, primary, verified }) =>
      value === undefined
        ? []
        : [
            {
              value,
              ...(type === undefined ? {} : { type }),
              ...(primary === undefined ? {} : { primary }),
              ...(verified === true ? { verified } : {}),
            },
          ],
    ),
    ...(user.displayName === undefined ? {} : { displayName: user.displayName }),
    ...(user.name === undefined ? {} : { name: user.name }),
    ...(locale === undefined ? {} : { locale }),
    ...(user.zoneinfo === undefined ? {} : { zoneinfo: user.zoneinfo }),
    ...(user.changedAt === undefined ? {} : { changedAt: user.changedAt }),
  };
}

/**
 * Returns the first language of an Accept-Language value (RFC 9110 §12.5.4), which many sources send instead of a
 * locale.
 */
const firstLanguage = (preferred: string | undefined): string | undefined =>
  /^\s*([A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*)\s*(?:[,;]|$)/.exec(preferred ?? '')?.[1];
