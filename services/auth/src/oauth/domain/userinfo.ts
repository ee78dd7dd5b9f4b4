import { isBlank, type Subject } from '../../tenancy/index.ts';

/** Returns the standard claims (OpenID Connect Core §5.1) that need no request to the directory. */
export const profileClaimsOf = (subject: Pick<Subject, 'profile'>): Record<string, unknown> => ({
  ...profileClaims(subject),
  ...emailClaims(subject),
});

function profileClaims({ profile }: Pick<Subject, 'profile'>): Record<string, unknown> {
  const { name } = profile;
  const spelled = [name?.givenName, name?.familyName].filter((part) => !isBlank(part)).join(' ');
  const full = [profile.displayName, name?.formatted, spelled].find((candidate) => !isBlank(candidate));
  const changedAt = profile.changedAt === undefined ? Number.NaN : Date.parse(profile.changedAt);
  return withoutEmpty({
    name: full,
    given_name: name?.givenName,
    family_name: name?.familyName,
    preferred_username: profile.userName,
    // SCIM permits en_US and en-US; OpenID Connect requires BCP 47.
    locale: profile.locale?.replaceAll('_', '-'),
    zoneinfo: profile.zoneinfo,
    updated_at: Number.isNaN(changedAt) ? undefined : Math.floor(changedAt / 1000),
  });
}

function emailClaims({ profile }: Pick<Subject, 'profile'>): Record<string, unknown> {
  const emails = profile.emails.filter(({ value }) => !isBlank(value));
  const email = emails.find((candidate) => candidate.primary) ?? emails[0];
  // This service does not verify addresses. `email_verified` comes from a source that the tenant trusts for it.
  return email === undefined ? {} : { email: email.value, email_verified: email.verified === true };
}

/** A claim without a value is omitted (OpenID Connect Core §5.3.2). */
const withoutEmpty = (claims: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(claims).filter(([, value]) => !isBlank(value)));
