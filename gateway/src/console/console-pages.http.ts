import { consolePathOf } from '@ostiary/access';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { codingFor, isKnown } from './domain/coding.ts';
import type { ConsoleConfig, ConsoleFile, ConsoleFiles } from './domain/console-file.ts';

/** Headers of every response below `/console`: the page may load files and connect only here, and may not be framed. */
const headers = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const page = 'index.html';
/** File names in this folder contain the digest of the content. */
const assets = 'assets/';

type Found = { name: string; file: ConsoleFile } | 'unknown' | 'malformed';

export interface ConsolePagesOptions {
  files: ConsoleFiles;
  config: ConsoleConfig;
}

/**
 * Serves the console at `/console`, by GET and HEAD. A path that is not a file is a route of the console's script and
 * gets the page. A path is only compared with the names of the files. A path that two parsers could read differently
 * is rejected as malformed.
 */
export function consolePages({ files, config }: ConsolePagesOptions): FastifyPluginAsync {
  return below(async (app) => {
    const answer = JSON.stringify(config);
    app.get('/console/config.json', (_request, reply) =>
      reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(answer),
    );
    app.get('/console/*', async (request, reply) => {
      const found = fileAt(files, request.raw.url ?? '');
      if (found === 'malformed') return malformed(reply);
      if (found === 'unknown') return refuse(reply, 404, 'There is nothing at this address.');
      return sendFile(files, found, request, reply);
    });
  });
}

/** Responds 404 with the reason why there is no console. */
export function noConsole(why: string): FastifyPluginAsync {
  return below(async (app) => {
    app.get('/console/*', (request, reply) =>
      consolePathOf(request.raw.url ?? '') === undefined ? malformed(reply) : refuse(reply, 404, why),
    );
  });
}

/** Registers routes with the headers, redirect and method checks that all of `/console` has. */
function below(routes: (app: FastifyInstance) => Promise<void>): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    app.addHook('onRequest', async (_request, reply) => void reply.headers(headers));
    app.get('/console', (_request, reply) => reply.redirect('/console/', 308));
    await routes(app);
    for (const url of ['/console', '/console/*']) {
      app.route({
        method: ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'],
        url,
        handler: (_request, reply) =>
          refuse(reply.header('allow', 'GET, HEAD'), 405, 'The console accepts only GET and HEAD.'),
      });
    }
  };
}

function fileAt(files: ConsoleFiles, url: string): Found {
  const path = consolePathOf(url);
  if (path === undefined) return 'malformed';
  const file = files.find(path);
  if (file) return { name: path, file };
  if (path.startsWith(assets) || path.split('/').some((segment) => segment.startsWith('.'))) return 'unknown';
  const shell = files.find(page);
  return shell ? { name: page, file: shell } : 'unknown';
}

async function sendFile(
  files: ConsoleFiles,
  { name, file }: { name: string; file: ConsoleFile },
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const coding = codingFor(request.headers['accept-encoding'], file.codings);
  const tag = `"${file.digest}${coding === undefined ? '' : `-${coding}`}"`;
  reply
    .header('vary', 'Accept-Encoding')
    .header('etag', tag)
    .header('cache-control', name.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send();
  if (coding !== undefined) reply.header('content-encoding', coding);
  return reply.type(file.type).send(await files.read(name, coding));
}

const names = { 400: 'invalid_request', 404: 'not_found', 405: 'method_not_allowed' } as const;

const malformed = (reply: FastifyReply): FastifyReply => refuse(reply, 400, 'The address is malformed.');

const refuse = (reply: FastifyReply, status: keyof typeof names, message: string): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send({ error: names[status], message });
