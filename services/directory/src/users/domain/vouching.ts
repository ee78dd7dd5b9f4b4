import { isJsonObject, type JsonValue, type PatchOperation, parsePath, ScimError } from '@ostiary/scim';
import type { Attributes, StoredResource, VouchedEmails } from '../../resources/index.ts';

/** The core schema of users, which may prefix its attributes (RFC 7644 §3.10). */
const coreUser = 'urn:ietf:params:scim:schemas:core:2.0:user';

export function addressesOf({ emails }: Attributes): Set<string> {
  const values = Array.isArray(emails)
    ? emails.map((email) => (isJsonObject(email) ? email.value : null))
    : [];
  return new Set(values.filter((value) => typeof value === 'string'));
}

/**
 * Returns the e-mail addresses that the operations of a PATCH name, including those that the user already has. A
 * vouching source vouches for these, and not for others that it left unchanged.
 */
export function addressesNamed(operations: readonly PatchOperation[]): Set<string> {
  const said = operations.flatMap(({ path, value }) => {
    if (value === undefined) return [];
    return path ? addressesAt(path, value) : Object.entries(value ?? {}).flatMap(addressesUnder);
  });
  return new Set(said);
}

/**
 * Returns the addresses in a member of a pathless value: `emails`, and dotted and filtered keys that some sources
 * send.
 */
function addressesUnder([key, value]: [string, JsonValue]): string[] {
  if (key.toLowerCase() === coreUser)
    return isJsonObject(value) ? Object.entries(value).flatMap(addressesUnder) : [];
  try {
    return addressesAt(parsePath(key), value);
  } catch (error) {
    // A key that is no path contains no address.
    if (error instanceof ScimError) return [];
    throw error;
  }
}

function addressesAt(
  { urn, name, subAttribute }: NonNullable<PatchOperation['path']>,
  value: JsonValue,
): string[] {
  if (name.toLowerCase() !== 'emails' || (urn !== undefined && urn.toLowerCase() !== coreUser)) return [];
  if (subAttribute !== undefined) {
    return subAttribute.toLowerCase() === 'value' && typeof value === 'string' ? [value] : [];
  }
  return (Array.isArray(value) ? value : [value]).flatMap((email) => {
    const parts = isJsonObject(email) ? Object.entries(email) : [];
    const [, address] = parts.find(([part]) => part.toLowerCase() === 'value') ?? [];
    return typeof address === 'string' ? [address] : [];
  });
}

/** Returns the vouchers of addresses that stay: an address that is added again has none. */
export function stillVouched(before: StoredResource | undefined, after: Attributes): VouchedEmails {
  if (!before?.vouchedEmails) return {};
  const [were, are] = [addressesOf(before.data), addressesOf(after)];
  return Object.fromEntries(
    Object.entries(before.vouchedEmails).filter(([address]) => were.has(address) && are.has(address)),
  );
}

/** Adds a source that vouches for the addresses that it names. */
export function vouchedBy(
  source: string,
  said: ReadonlySet<string>,
  known: VouchedEmails,
  after: Attributes,
): VouchedEmails {
  const vouched = new Map(Object.entries(known));
  for (const address of addressesOf(after)) {
    const sources = vouched.get(address) ?? [];
    if (said.has(address) && !sources.includes(source)) vouched.set(address, [...sources, source].sort());
  }
  return Object.fromEntries(vouched);
}

/** Removes a source from the vouchers of all addresses. */
export function withoutVoucher(source: string, known: VouchedEmails): VouchedEmails {
  const left = Object.entries(known).map(
    ([address, sources]) => [address, sources.filter((other) => other !== source)] as const,
  );
  return Object.fromEntries(left.filter(([, sources]) => sources.length > 0));
}

/** Reports whether an identity source vouches for this address of the user. */
export const isVerified = ({ data, vouchedEmails = {} }: StoredResource, address: unknown): boolean =>
  typeof address === 'string' &&
  Object.hasOwn(vouchedEmails, address) &&
  (vouchedEmails[address]?.length ?? 0) > 0 &&
  addressesOf(data).has(address);
