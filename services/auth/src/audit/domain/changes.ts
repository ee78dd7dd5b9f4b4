/** Before and after of each attribute that changed. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

/** Stands for a value that nobody may read in a log. */
export const masked = '********';

/** Whatever their value: a name that ends like this holds something that opens a door. */
const secretName = /(?:secret|password|hash|digest|salt|token|private|sealed)$/i;

/** Members of a JSON Web Key that are not public (RFC 7518 §6). */
const secretMembers = new Set(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k']);

/** Longest text that is kept as it is, in characters of its JSON. */
const longest = 4_096;

/**
 * What differs between two states of a thing, attribute by attribute; a missing state has no attributes. Values that are
 * secret by their name are masked: that they changed is told, what they are isn't.
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

/** A JSON Web Key may be anywhere in a registration, and not everybody sends the public half only. */
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
