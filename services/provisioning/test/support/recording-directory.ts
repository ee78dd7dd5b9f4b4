import { createHttp, createKit } from '@ostiary/service';

export interface RecordedCommand {
  method: string;
  path: string;
  query: Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read requests of any shape
  body: any;
  authorized: boolean;
  /** Whether the sender prefers an interim response, and the function that sends it (102). */
  prefersProcessing: boolean;
  processing(): void;
}

export interface Answer {
  status: number;
  body?: unknown;
}

/**
 * A directory over HTTP that records its commands. It returns a plausible resource for creations, reads and changes,
 * unless a test has put another response into `answers`.
 */
export async function startRecordingDirectory() {
  const commands: RecordedCommand[] = [];
  const answers: Answer[] = [];
  /** Overrides the response to a command; undefined keeps the default. */
  const state: { respond: ((command: RecordedCommand) => Promise<Answer | undefined>) | undefined } = {
    respond: undefined,
  };

  const app = createHttp(createKit({ name: 'directory', logLevel: 'silent' }));
  app.all<{ Params: { '*': string } }>('/internal/v1/tenants/*', async (request, reply) => {
    // biome-ignore lint/suspicious/noExplicitAny: see RecordedCommand
    const body = request.body as any;
    const path = request.url.split('?', 1)[0] ?? '';
    const command = {
      method: request.method,
      path,
      query: request.query as Record<string, string>,
      body,
      authorized: request.headers.authorization?.startsWith('Bearer ') ?? false,
      prefersProcessing: request.headers.prefer === 'processing',
      processing: () => reply.raw.writeProcessing(),
    };
    commands.push(command);
    const answer = (await state.respond?.(command)) ?? answers.shift() ?? usual(request.method, path, body);
    if (answer.body === undefined) return reply.code(answer.status).send();
    return reply
      .code(answer.status)
      .header('content-type', 'application/scim+json')
      .send(JSON.stringify(answer.body));
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    url,
    commands,
    answers,
    state,
    /** Returns the only command since the last `clear`. */
    only(): RecordedCommand {
      const [command] = commands;
      if (!command || commands.length > 1) throw new Error(`${commands.length} commands were sent`);
      return command;
    },
    clear() {
      commands.length = 0;
      answers.length = 0;
      state.respond = undefined;
    },
    close: () => app.close(),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see RecordedCommand
function usual(method: string, path: string, body: any): Answer {
  const [, , , , , collection = '', id] = path.split('/');
  if (id === 'managed-privileges') return { status: 200, body: { scopes: [] } };
  if (collection === 'schemas') return { status: 200, body: { version: 0, schemas: [] } };
  if (id === 'search') {
    return {
      status: 200,
      body: { totalResults: 0, startIndex: body.startIndex, itemsPerPage: 0, Resources: [] },
    };
  }
  if (method === 'DELETE') return { status: 204 };
  const resourceType = collection === 'Users' ? 'User' : 'Group';
  return {
    status: method === 'POST' ? 201 : 200,
    body: {
      schemas: [`urn:ietf:params:scim:schemas:core:2.0:${resourceType}`],
      ...(resourceType === 'User' ? { userName: 'ada' } : { displayName: 'Engineering' }),
      ...body?.resource,
      id: body?.id ?? id,
      meta: {
        resourceType,
        created: '2026-01-01T00:00:00.000Z',
        lastModified: '2026-01-01T00:00:00.000Z',
        version: 'W/"1"',
      },
    },
  };
}

export type RecordingDirectory = Awaited<ReturnType<typeof startRecordingDirectory>>;
