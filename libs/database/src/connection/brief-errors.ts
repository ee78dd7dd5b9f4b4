/** Internal method of the client through which every call of every model and transaction passes. */
interface Requesting {
  _request(request: unknown): Promise<unknown>;
}

/**
 * Removes the arguments from Prisma's errors about invalid calls, because they contain secrets and addresses,
 * and errors are logged and stored with failed jobs. `errorFormat` does not do this; `$extends` would, at a
 * cost for every call. Tested, because it is not a public interface.
 */
export function withBriefErrors<P>(prisma: P): P {
  const client = (prisma as { _originalClient?: Requesting } | undefined)?._originalClient;
  if (client === undefined) return prisma;
  const request = client._request;
  client._request = function (this: Requesting, asked) {
    return request.call(this, asked).catch((error: unknown) => {
      throw withoutCall(error);
    });
  };
  return prisma;
}

const invocation = /`prisma\.[\w$.]+\(\)`/;
const argument = /[Aa]rgument `(\w+)`/;

function withoutCall(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'PrismaClientValidationError') return error;
  const { message, stack = '' } = error;
  const lastLine = message.slice(message.lastIndexOf('\n') + 1);
  const place = argument.exec(lastLine)?.[1];
  const reason = /explicitly `undefined`/.test(message) ? ' is undefined' : '';
  error.message = `Invalid call of ${invocation.exec(message)?.[0] ?? 'Prisma'}${place ? `: argument ${place}${reason}` : ''}`;
  const at = stack.indexOf(message);
  error.stack = `${error.name}: ${error.message}${at === -1 ? '' : stack.slice(at + message.length)}`;
  return error;
}
