import { isUuid } from '@ostiary/service';
import { invalidRequest } from '../../platform/index.ts';

/** A subject identifier (RFC 9493 §3; `scim` is RFC 9967 §2.1, `complex` SSF 1.0 §3.3). */
export type SubjectIdentifier =
  | { format: 'iss_sub'; iss: string; sub: string }
  | { format: 'email'; email: string }
  | { format: 'opaque'; id: string }
  | { format: 'scim'; uri: string; externalId?: string }
  | { format: 'complex'; user: SubjectIdentifier; session?: SubjectIdentifier; tenant?: SubjectIdentifier };

/** Subject identifier format of a stream. */
export type SubjectFormat = 'iss_sub' | 'email';

/** Subject of a request: by id, or by an address that may belong to no user. */
export type MeantSubject =
  | { kind: 'user' | 'group'; id: string }
  | { kind: 'user'; email: string }
  /** Well-formed, but not of this tenant. */
  | undefined;

type Fields = Record<string, unknown>;

const members: Readonly<Record<string, readonly string[]>> = {
  iss_sub: ['iss', 'sub'],
  email: ['email'],
  opaque: ['id'],
  scim: ['uri'],
};

/** Optional members by format; others are rejected (RFC 9493 §3). */
const optional: Readonly<Record<string, readonly string[]>> = { scim: ['externalId', 'id'] };

/**
 * Resolves the `subject` of an add or remove request (SSF 1.0 §8.1.3). Of complex subjects, only `user` with an
 * optional `tenant` is accepted: exclusions apply to users, not to single sessions.
 * @throws OAuthError invalid_request for malformed subjects and unsupported formats
 */
export function meantSubject(value: unknown, of: { issuer: string; tenant: string }): MeantSubject {
  const subject = objectOf(value);
  if (subject.format !== 'complex') return simple(subject, of);
  const { format: _complex, user, tenant, ...others } = subject;
  if (user === undefined || Object.keys(others).length > 0) {
    throw invalidRequest('A complex subject must have user, and can have tenant.');
  }
  const meant = simple(objectOf(user), of);
  if (tenant === undefined) return meant;
  const place = objectOf(tenant);
  checkMembers(place);
  const here = place.format === 'opaque' ? place.id === of.tenant : place.iss === of.issuer;
  return here ? meant : undefined;
}

function simple(subject: Fields, of: { issuer: string }): MeantSubject {
  checkMembers(subject);
  const text = (name: string): string => subject[name] as string;
  switch (subject.format) {
    case 'iss_sub':
      return text('iss') === of.issuer ? byId('user', text('sub')) : undefined;
    case 'email':
      return { kind: 'user', email: text('email') };
    case 'opaque':
      return byId('user', text('id'));
    default:
      return byUri(text('uri'));
  }
}

const byId = (kind: 'user' | 'group', id: string): MeantSubject =>
  isUuid(id.toLowerCase()) ? { kind, id: id.toLowerCase() } : undefined;

function byUri(uri: string): MeantSubject {
  const [, collection, id] = /(?:^|\/)(Users|Groups)\/([^/]+)$/.exec(uri) ?? [];
  return id === undefined ? undefined : byId(collection === 'Users' ? 'user' : 'group', id);
}

function objectOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalidRequest('A subject must be an object with a format (RFC 9493).');
  }
  return value as Fields;
}

/** @throws OAuthError invalid_request unless the identifier has a known format and exactly its members */
function checkMembers(subject: Fields): void {
  const { format, ...given } = subject;
  const needed = typeof format === 'string' && Object.hasOwn(members, format) ? members[format] : undefined;
  if (needed === undefined) {
    throw invalidRequest(`The subject's format must be one of ${Object.keys(members).join(', ')}, complex.`);
  }
  const allowed = [...needed, ...(optional[String(format)] ?? [])];
  const complete = needed.every((name) => Object.hasOwn(given, name));
  const fits = Object.entries(given).every(
    ([name, value]) =>
      allowed.includes(name) && typeof value === 'string' && value !== '' && value.length <= 1_024,
  );
  if (!complete || !fits) {
    throw invalidRequest(
      `A subject of format ${String(format)} must have only ${needed.join(' and ')}, as strings of at most 1024 characters.`,
    );
  }
}
