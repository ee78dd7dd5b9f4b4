/** The client as far as it matters here: what every call of every model, and of every transaction, goes through. */
interface Requesting {
  _request(request: { args?: unknown }): Promise<unknown>;
}

/**
 * To Prisma a condition that is `undefined` is none: a value that is missing at run time would let a statement reach every row. Here it is an
 * error, before anything is sent. Prisma's own `strictUndefinedChecks` would refuse it in what is written as well, where it is only not written.
 * That it works is tested, for it is no public interface.
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

/** What holds conditions, or parts of a call that do. */
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

/** Neither a time nor bytes, nor one of Prisma's own objects. */
function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
