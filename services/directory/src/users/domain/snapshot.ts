import type { UserSnapshot } from '@ostiary/events';
import type { StoredResource } from '../../resources/index.ts';
import { isVerified } from './vouching.ts';

type Fields = Record<string, unknown>;

/** Returns a user's part of an event. */
export function userSnapshot(
  user: StoredResource,
  extra: {
    source?: string | undefined;
    credentialTicket?: string | undefined;
    restorableUntil?: Date | undefined;
  },
): UserSnapshot {
  const { data } = user;
  const name = nameOf(data.name);
  return {
    id: user.id,
    userName: String(data.userName),
    active: data.active !== false,
    ...text('displayName', data.displayName),
    ...(name && { name }),
    emails: emailsOf(user),
    ...text('locale', data.locale),
    ...text('preferredLanguage', data.preferredLanguage),
    ...text('zoneinfo', data.timezone),
    externalIds: user.externalIds,
    ...text('source', extra.source),
    ...text('credentialTicket', extra.credentialTicket),
    ...text('restorableUntil', extra.restorableUntil?.toISOString()),
    changedAt: user.updatedAt.toISOString(),
  };
}

const text = <N extends string>(name: N, value: unknown): { [K in N]?: string } =>
  (typeof value === 'string' ? { [name]: value } : {}) as { [K in N]?: string };

function nameOf(value: unknown): UserSnapshot['name'] | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { formatted, givenName, familyName } = value as Fields;
  const name = {
    ...text('formatted', formatted),
    ...text('givenName', givenName),
    ...text('familyName', familyName),
  };
  return Object.keys(name).length > 0 ? name : undefined;
}

function emailsOf(user: StoredResource): UserSnapshot['emails'] {
  const { emails } = user.data;
  if (!Array.isArray(emails)) return [];
  return (emails as (Fields | null)[]).flatMap((email) =>
    typeof email?.value === 'string'
      ? [
          {
            value: email.value,
            ...text('type', email.type),
            ...(typeof email.primary === 'boolean' && { primary: email.primary }),
            ...(isVerified(user, email.value) && { verified: true as const }),
          },
        ]
      : [],
  );
}
