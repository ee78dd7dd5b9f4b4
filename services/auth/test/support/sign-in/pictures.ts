import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';

/** Returns a PNG of one colour, without valid checksums, because no test draws it. */
export function png(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(data.length);
    return Buffer.concat([length, Buffer.from(type), data, Buffer.alloc(4)]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0], 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(8))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** External web server with images, which counts the requests for each. */
export interface Pictures {
  origin: string;
  asked(path: string): number;
  stop(): void;
}

/** @param bodies images by path; a request for `undefined` is never answered */
export async function startPictures(bodies: Record<string, Buffer | undefined>): Promise<Pictures> {
  const counts = new Map<string, number>();
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    counts.set(path, (counts.get(path) ?? 0) + 1);
    if (path === '/moved.png') response.writeHead(302, { location: '/logo.png' }).end();
    else if (!(path in bodies)) response.writeHead(404).end();
    else if (bodies[path]) response.setHeader('content-type', 'image/png').end(bodies[path]);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: (path) => counts.get(path) ?? 0,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
