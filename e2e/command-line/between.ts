import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runningDemo } from '../support/demo.ts';

export interface Meddling {
  /** Before a request goes on its way. */
  before?(body: string): Promise<void>;
  /** What becomes of the answer to an operation. */
  // biome-ignore lint/suspicious/noExplicitAny: it changes whatever the graph answered
  answered?(operation: string, answer: any): void;
}

/** Stands on the way to the operator's port while something is done. @param work is given the address to ask instead */
export async function between<T>(meddling: Meddling, work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(async (request, response) => {
    const body = await text(request);
    await meddling.before?.(body);
    const { authorization = '', 'content-type': type = 'text/plain' } = request.headers;
    const answer = await fetch(`${runningDemo().operator}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { ...(authorization ? { authorization } : {}), 'content-type': type },
      ...(request.method === 'POST' ? { body } : {}),
    });
    const [, operation] = /"operationName":"(\w+)"/.exec(body) ?? [];
    const said = await answer.text();
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'text/plain' });
    if (operation === undefined || meddling.answered === undefined) return response.end(said);
    const changed: unknown = JSON.parse(said);
    meddling.answered(operation, changed);
    return response.end(JSON.stringify(changed));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
