import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Logger } from '@ostiary/service';
import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/** Path of each file in its package. The packages are installed in a checkout, not in a release. */
const parts = {
  'react.js': ['react', 'umd/react.production.min.js'],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js'],
  'graphiql.js': ['graphiql', 'graphiql.min.js'],
  'graphiql.css': ['graphiql', 'graphiql.min.css'],
} as const;

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL – Ostiary</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphiql/graphiql.css">
<link rel="stylesheet" href="/graphiql/page.css">
<script src="/graphiql/react.js" defer></script>
<script src="/graphiql/react-dom.js" defer></script>
<script src="/graphiql/graphiql.js" defer></script>
<script src="/graphiql/page.js" defer></script>
</head>
<body><div id="graphiql">Loading…</div></body>
</html>
`;

const pageStyle = 'html, body, #graphiql { height: 100%; margin: 0 }\n';

/** Subscriptions use fetch as well, so that they carry the headers. */
const pageScript = `'use strict';
const isSubscription = ({ query, operationName }) => {
  const found = [...query.matchAll(/(?:^|[}\\s])(query|mutation|subscription)\\b\\s*([_A-Za-z]\\w*)?/g)];
  const wanted = operationName ? found.find(([, , name]) => name === operationName) : found[0];
  return wanted?.[1] === 'subscription';
};
async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split('\\n\\n');
    text = blocks.pop();
    for (const block of blocks) {
      const lines = block.split('\\n');
      if (lines.includes('event: complete')) return;
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5)).join('\\n').trim();
      if (data) yield JSON.parse(data);
    }
  }
}
const fetcher = async (operation, { headers = {} } = {}) => {
  const live = isSubscription(operation);
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: live ? 'text/event-stream' : 'application/graphql-response+json, application/json',
      ...headers,
    },
    body: JSON.stringify(operation),
  });
  const streams = (response.headers.get('content-type') ?? '').startsWith('text/event-stream');
  return streams ? events(response) : response.json();
};
ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultEditorToolsVisibility: 'headers',
    shouldPersistHeaders: false,
  }),
);
`;

// Resources load only from this origin.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  'font-src data:',
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Serves GraphiQL at /graphiql from this process: no CDN receives the schema, and none can change code that runs
 * beside a token.
 */
export function graphiql(log: Logger): FastifyPluginAsync {
  return async (app: FastifyInstance) => {
    const found = await readParts();
    if (!found) {
      log.warn(
        { event: 'graphiql.not_installed' },
        'GraphiQL is enabled, but its packages are not installed',
      );
      return;
    }
    const files: Record<string, { type: string; content: string | Buffer }> = {
      ...found,
      'page.css': { type: 'text/css; charset=utf-8', content: pageStyle },
      'page.js': { type: 'text/javascript; charset=utf-8', content: pageScript },
    };
    app.addHook('onSend', async (_request, reply) => {
      reply
        .header('content-security-policy', policy)
        .header('x-content-type-options', 'nosniff')
        .header('referrer-policy', 'no-referrer')
        .header('cross-origin-opener-policy', 'same-origin')
        .header('cross-origin-resource-policy', 'same-origin');
    });
    app.get('/graphiql', async (_request, reply) =>
      reply.header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page),
    );
    app.get<{ Params: { file: string } }>('/graphiql/:file', async (request, reply) => {
      const file = Object.hasOwn(files, request.params.file) ? files[request.params.file] : undefined;
      if (!file) return reply.callNotFound();
      return reply.header('cache-control', 'max-age=3600').type(file.type).send(file.content);
    });
  };
}

async function readParts(): Promise<Record<string, { type: string; content: Buffer }> | undefined> {
  const require = createRequire(import.meta.url);
  try {
    const entries = Object.entries(parts).map(async ([name, [pack, path]]) => {
      const folder = dirname(require.resolve(`${pack}/package.json`));
      const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
      return [name, { type, content: await readFile(join(folder, path)) }] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  } catch {
    return undefined;
  }
}
