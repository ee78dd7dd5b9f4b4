import { Failure } from './failure.ts';

const patienceMs = 30_000;
/** Limit for endless responses. No request of the CLI comes close to it. */
const maxBytes = 64 * 1024 * 1024;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  bytes: Buffer;
}

export interface Asking {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  timeoutMs?: number;
}

/** Sends one request. @throws Failure unreachable, with the known cause */
export async function ask(url: string, asking: Asking = {}): Promise<Answer> {
  const timeout = AbortSignal.timeout(asking.timeoutMs ?? patienceMs);
  const signal = asking.signal ? AbortSignal.any([asking.signal, timeout]) : timeout;
  try {
    const response = await fetch(url, {
      method: asking.method ?? 'GET',
      headers: { 'user-agent': 'ostiary-cli', ...asking.headers },
      ...(asking.body === undefined ? {} : { body: asking.body }),
      // A response must not redirect credentials to another server.
      redirect: 'manual',
      signal,
    });
    const bytes = await bodyOf(response);
    return { status: response.status, headers: response.headers, text: bytes.toString('utf8'), bytes };
  } catch (error) {
    if (asking.signal?.aborted) throw new Failure('interrupted', 'Interrupted.');
    if (error instanceof Failure) throw error;
    throw unreachable(new URL(url).origin, error);
  }
}

async function bodyOf(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Failure('failure', 'The response is larger than the maximum size.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A server responds, but its certificate is not trusted. */
export class Untrusted extends Failure {
  constructor(message: string, remedy: string) {
    super('unreachable', message, remedy);
  }
}

const tlsRemedy =
  'For a private certificate authority, set its certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem';

/** Certificate errors that another CA certificate would not resolve. */
const unfit: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  CERT_HAS_EXPIRED: ['has expired', 'Renew it at the ingress: docs/guides/runbook.md.'],
  CERT_NOT_YET_VALID: [
    'is not valid yet',
    'Check the clock of this machine; timedatectl shows whether NTP is active.',
  ],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'is for another name',
    'Use a name in the certificate, or issue a certificate with this name.',
  ],
};

/** Reads the cause of fetch's "fetch failed". */
function unreachable(origin: string, error: unknown): Failure {
  const { code, message } = causeOf(error);
  if (Object.hasOwn(unfit, code)) {
    const [what, remedy] = unfit[code] ?? ['', ''];
    return new Untrusted(`The certificate of ${origin} ${what} (${code}).`, remedy);
  }
  if (code.startsWith('CERT_') || /SELF_SIGNED|UNABLE_TO_|ERR_TLS|DEPTH_ZERO/.test(code)) {
    return new Untrusted(`The certificate of ${origin} is not trusted (${code}).`, tlsRemedy);
  }
  const why: Record<string, string> = {
    ECONNREFUSED: 'connection refused',
    ENOTFOUND: 'host not found',
    EAI_AGAIN: 'the host name could not be resolved',
    ECONNRESET: 'connection lost',
    UND_ERR_SOCKET: 'connection lost',
    TimeoutError: 'timeout',
  };
  const proxy = proxyFor(origin);
  const way = proxy === undefined ? '' : ` with ${proxy}, unless NO_PROXY names it`;
  return new Failure('unreachable', `${origin} cannot be reached${way}: ${why[code] ?? (message || code)}.`, [
    'ostiary doctor diagnoses the connection.',
  ]);
}

/** Returns the proxy for the error message: the error does not state whether the server or the proxy failed. */
function proxyFor(origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  if (/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname)) return undefined;
  const name = protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  return [name.toLowerCase(), name].find((variable) => process.env[variable]);
}

function causeOf(error: unknown): { code: string; message: string } {
  const failure = error as { name?: string; message?: string; code?: string; cause?: unknown };
  const cause = failure.cause as
    | { code?: string; message?: string; errors?: { code?: string }[] }
    | undefined;
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? failure.code ?? failure.name ?? '';
  return { code: String(code), message: cause?.message ?? failure.message ?? '' };
}

/** @throws Failure when the body is not a JSON object */
export function objectOf(answer: Answer, what: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(answer.text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as Record<string, unknown>;
    }
  } catch {}
  const kind = answer.headers.get('content-type') ?? 'no type';
  throw new Failure(
    answer.status >= 500 ? 'unreachable' : 'failure',
    `${what} returned ${answer.status} with ${kind} instead of JSON.`,
    'Check that --server and --profile are those of Ostiary.',
  );
}
