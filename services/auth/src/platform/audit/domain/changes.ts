/** Values before and after the change, for each changed attribute. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

/** Replacement for secret values in the log. */
export const masked = '********';

/** Attributes whose names end like this are secret. */
const secretName = /(?:secret|password|hash|digest|salt|token|private|sealed)$/i;

/** Private members of a JSON Web Key (RFC 7518 §6). */
const secretMembers = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);

/** Maximum length of a value in characters of JSON. Longer values are truncated. */
const longest = 4_096;

/**
 * Returns the attributes that differ between two states; a missing state has no attributes. Values of secret attributes
 * are masked.
 */
export function changesBetween(before: object | undefined, after: object | undefined): Changes {
  const changes: Changes = {};
  const [was, is] = [{ ...before }, { ...after }] as Record<string, unknown>[];
  for (const name of new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])) {
    const [old, now] = [was?.[name] ?? undefined, is?.[name] ?? undefined];
    if (JSON.stringify(old) === JSON.stringify(now)) continue;
    changes[name] = {
      ...(old !== undefined && { before: shown(name, old) }),
      ...(now !== undefined && { after: shown(name, now) }),
    };
  }
  return changes;
}

function shown(name: string, value: unknown): unknown {
  if (secretName.test(name) && typeof value !== 'boolean' && typeof value !== 'number') return masked;
  const clean = withoutPrivateKeys(value);
  const text = JSON.stringify(clean);
  return text.length <= longest ? clean : `${text.slice(0, longest)}…`;
}

/**
 * Removes private members from JSON Web Keys anywhere in a value. Some clients send whole key pairs in a registration.
 */
function withoutPrivateKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrivateKeys);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const isKey = Object.hasOwn(value, 'kty');
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      isKey && secretMembers.has(name) ? masked : withoutPrivateKeys(member),
    ]),
  );
}
