/** The client as far as it matters here: what every call of every model, and of every transaction, goes through. */
interface Requesting {
  _request(request: unknown): Promise<unknown>;
}

/**
 * A call that Prisma doesn't understand is repeated in its error, with all arguments: the secrets and addresses that were to be written
 * or looked for. Errors are logged, and kept with the job that failed, so that part is taken out before anybody has seen it. `errorFormat`
 * doesn't do it; `$extends` would, for every call and at a price. That it works is tested, for it is no public interface.
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
