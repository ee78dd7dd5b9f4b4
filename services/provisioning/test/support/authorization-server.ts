import { platformTenant } from '@ostiary/access';
import { Issuer, type TokenClaims } from '@ostiary/access/testing';
import { createHttp, createKit, uuidv7 } from '@ostiary/service';
import { Ownership } from './ownership.ts';

export const publicOrigin = 'https://id.example.test';

export interface StagedCredential {
  tenant: string;
  subject: string;
  password: string;
  ticket: string;
  activated: boolean;
  /** The actor stated for the activation. */
  activatedFor?: unknown;
}

/**
 * The parts of the authorization server that the provisioning service calls over HTTP: keys, service tokens, the
 * revocation feed and staged credentials. With `down` it responds 503 to requests for credentials.
 */
export async function startAuthorizationServer() {
  const ownership = new Ownership();
  const issuer = new Issuer({ origin: publicOrigin });
  const tenants = new Set(['demo', 'rival', platformTenant]);
  const people: People = {
    staged: [],
    administrators: new Set(),
    administratorGroups: new Set(),
    state: { down: false },
  };

  const app = createHttp(createKit({ name: 'auth', logLevel: 'silent' }));
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.get<{ Params: { tenant: string } }>('/t/:tenant/jwks', async (request, reply) =>
    tenants.has(request.params.tenant) ? issuer.jwks : reply.code(404).send({}),
  );
  app.post<{ Body: { resource: string } }>('/t/platform/token', async (request) => {
    const basic = Buffer.from(request.headers.authorization?.slice(6) ?? '', 'base64').toString();
    const subject = basic.split(':', 1)[0] ?? '';
    return {
      access_token: issuer.token({ tenant: platformTenant, subject, audience: request.body.resource }),
      token_type: 'Bearer',
      expires_in: 300,
    };
  });
  app.get('/internal/v1/revocations', async () => ({ cursor: '1.1', entries: [], maxSeq: '0' }));
  app.post('/internal/v1/events/missing', async () => ({ missing: [] }));
  passwordRoutes(app, people);
  ownership.routes(app);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });

  return {
    url,
    ...people,
    ownership,
    token: (claims: TokenClaims) => issuer.token(claims),
    serviceToken: (client: string, service: string) => issuer.serviceToken(client, service),
    close: () => app.close(),
  };
}

/** Staged passwords, and the users and groups with a role. */
interface People {
  staged: StagedCredential[];
  administrators: Set<string>;
  administratorGroups: Set<string>;
  state: { down: boolean };
}

function passwordRoutes(
  app: ReturnType<typeof createHttp>,
  { staged, administrators, administratorGroups, state }: People,
): void {
  app.post<{
    Params: { tenant: string };
    Body: { subject: string; password: string; roleScopes?: string[] };
  }>('/internal/v1/tenants/:tenant/credentials', async (request, reply) => {
    if (state.down) return reply.code(503).send({});
    if (request.body.password === 'refused by policy') {
      return reply.code(400).send({ error: 'invalid_request', message: 'The password is too common.' });
    }
    const { subject, password } = request.body;
    if (administrators.has(subject) && !request.body.roleScopes?.includes('roles:write')) {
      return reply.code(403).send({ error: 'forbidden', message: 'Not an administrator.' });
    }
    const ticket = uuidv7();
    staged.push({ tenant: request.params.tenant, subject, password, ticket, activated: false });
    return reply.code(201).send({ ticket });
  });
  app.get('/internal/v1/tenants/:tenant/administrators', async (_request, reply) =>
    state.down
      ? reply.code(503).send({})
      : { subjects: [...administrators], groups: [...administratorGroups] },
  );
  app.post<{ Params: { ticket: string }; Body: { actor?: unknown } }>(
    '/internal/v1/tenants/:tenant/credentials/:ticket/activate',
    async (request, reply) => {
      const found = staged.find(({ ticket }) => ticket === request.params.ticket);
      if (found) Object.assign(found, { activated: true, activatedFor: request.body.actor });
      return reply.code(found ? 204 : 404).send();
    },
  );
}

export type AuthorizationServer = Awaited<ReturnType<typeof startAuthorizationServer>>;
