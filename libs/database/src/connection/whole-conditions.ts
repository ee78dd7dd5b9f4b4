/** Internal method of the client through which every call of every model and transaction passes. */
interface Requesting {
  _request(request: { args?: unknown }): Promise<unknown>;
}

/**
 * Rejects conditions with the value `undefined`, which Prisma ignores: a value missing at run time would let
 * a statement affect every row. Prisma's `strictUndefinedChecks` would also reject it in written data, where
 * it only means "not written". Tested, because it is not a public interface.
 */
export function withWholeConditions<P>(prisma: P): P {
  const client = (prisma as { _originalClient?: Requesting } | undefined)?._originalClient;
  if (client === undefined) return prisma;
  const request = client._request;
  client._request = async function (this: Requesting, asked) {
    requireWholeConditions(asked.args, '');
    return request.call(this, asked);
  };
  return prisma;
}

/** Arguments that contain conditions, or parts with conditions. */
const holding = ['where', 'cursor', 'having', 'include', 'select'];

function requireWholeConditions(args: unknown, path: string): void {
  if (typeof args !== 'object' || args === null) return;
  for (const name of holding) {
    if (!Object.hasOwn(args, name)) continue;
    const part = (args as Record<string, unknown>)[name];
    if (name === 'include' || name === 'select') {
      for (const [relation, of] of Object.entries(part ?? {})) {
        requireWholeConditions(of, `${path}${relation}.`);
      }
    } else requireWhole(part, path + name);
  }
}

function requireWhole(condition: unknown, path: string): void {
  if (condition === undefined) throw new TypeError(`A condition is undefined: ${path}`);
  if (Array.isArray(condition)) {
    for (const one of condition) requireWhole(one, path);
  } else if (isPlain(condition)) {
    for (const name of Object.keys(condition)) requireWhole(condition[name], `${path}.${name}`);
  }
}

/** Excludes dates, bytes, and Prisma's own objects. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
