import { isJsonObject, type JsonObject } from '@ostiary/scim';
import type { Attributes, StoredResource, View } from '../../resources/index.ts';
import { isVerified } from './vouching.ts';

/** Adds the verification of addresses and the departure of an inactive user, for other services only. */
export function shownVerified(user: StoredResource, shown: Attributes, { verified }: View): Attributes {
  if (verified !== true) return shown;
  const emails = Array.isArray(shown.emails)
    ? shown.emails.map((email) =>
        isJsonObject(email) && isVerified(user, email.value) ? { ...email, verified: true } : email,
      )
    : undefined;
  return {
    ...shown,
    ...(emails && { emails }),
    ...(shown.active === false && { departure: (user.departure ?? null) as unknown as JsonObject | null }),
  };
}
