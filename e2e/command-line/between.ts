import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { runningDemo } from '../support/demo.ts';

export interface Meddling {
  /** Runs before a request is forwarded. */
  before?(body: string): Promise<void>;
  /** Changes the response to an operation. */
  // biome-ignore lint/suspicious/noExplicitAny: it changes any response of the graph
  answered?(operation: string, answer: any): void;
}

/** Proxies the operator's port while `work` runs. @param work receives the address of the proxy */
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
