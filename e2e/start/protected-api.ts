import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';

/** Program that ends without an error if the code of the guide closes a socket with its token. */
export const closed = `
  import { closeWithToken } from './closing.mjs';
  import { EventEmitter } from 'node:events';
  let revoke, forgotten = false, code;
  const socket = Object.assign(new EventEmitter(), { close(given) { code = given; socket.emit('close'); } });
  closeWithToken({ onRevoked: (_, end) => { revoke = end; return () => { forgotten = true; }; } }, {}, socket);
  revoke('revoked');
  if (code !== 4401 || !forgotten) throw new Error('the socket is open');`;

const toolList: RequestInit & { headers?: Record<string, string> } = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
};

/** Runs an API of a guide and expects that it accepts tokens for itself only. */
export async function protects(
  path: string,
  code: string,
  env: Record<string, string>,
  tokens: { own: string; other: string },
): Promise<void> {
  await writeFile(path, code);
  const port = await freePort();
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env.PATH, PORT: String(port), ...env },
    stdio: 'inherit',
  });
  const isGraph = code.includes('ApolloServer');
  const ask = isGraph ? '/?query={kind}' : code.includes('McpServer') ? '/mcp' : '/orders';
  const statusFor = async (bearer: string, route = ask): Promise<number> => {
    const headers = { authorization: `Bearer ${bearer}`, 'apollo-require-preflight': 'true' };
    const init: typeof toolList = route === '/mcp' ? toolList : {};
    const address = `http://127.0.0.1:${port}${route}`;
    const response = await fetch(address, {
      ...init,
      headers: { ...headers, ...init.headers },
    }).catch(() => undefined);
    return response?.status ?? 0;
  };
  try {
    await eventually(async () => (await statusFor(tokens.own)) === 200);
    expect(await statusFor(tokens.other)).toBe(401);
    if (isGraph) return;
    expect(await statusFor('', '/.well-known/oauth-protected-resource')).toBe(200);
  } finally {
    child.kill();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
