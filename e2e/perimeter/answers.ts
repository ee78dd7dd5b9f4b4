import { rawExchange } from '../../libs/service/test/support/raw-exchange.ts';
import type { Attack } from './protections.ts';

/** Parts of a response that can be compared between two routes. */
export interface Answer {
  status: number;
  /** Statuses of further responses on the connection, except 400: a hidden request was answered. */
  besides: number[];
  headers: Record<string, string>;
  body: string;
}

/** Headers of each hop, and headers that differ in every response. */
const notCompared = new Set([
  'connection',
  'date',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-request-id',
  'dpop-nonce',
]);

function read(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [line = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const one of lines) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(one) ?? [];
    if (!notCompared.has(name.toLowerCase()))
      headers[name.toLowerCase()] =
        name.toLowerCase() === 'ratelimit' ? value.replaceAll(/\d+/g, 'n') : value;
  }
  const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
  const besides = statuses.slice(1).filter((status) => status !== 400);
  const [, id] = /^x-request-id: (.*)$/im.exec(text) ?? [];
  const body = text
    .slice(end + 4)
    .split(id ?? '\0')
    .join('(id)');
  return { status: Number(line.split(' ')[1] ?? 0), headers, body: withoutChunks(body, text), besides };
}

const withoutChunks = (body: string, text: string): string =>
  /^transfer-encoding: chunked/im.test(text) ? body.replaceAll(/^[0-9a-f]+\r\n|\r\n/gim, '') : body;

/** Sends an attack byte by byte as written. */
export async function ask(
  port: number,
  host: string,
  { line, headers = [], body = '' }: Attack,
): Promise<Answer> {
  const close = headers.some((header) => header.startsWith('Connection:')) ? [] : ['Connection: close'];
  return read(await rawExchange(port, [line, `Host: ${host}`, ...close, ...headers], body));
}
