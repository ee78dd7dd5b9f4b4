import type { Demo } from '../demo.ts';
import { signIn as signInAs } from '../sign-in.ts';
import type { Caller } from './callers.ts';
import { isRetried } from './retried.ts';
import type { Reply, Sender, Sent } from './sender.ts';

export interface Use {
  demo: Demo;
  caller: Caller;
  sender: Sender;
  /** Number of the request, unique in the load. */
  turn: number;
}

/** Success, a temporary skip, or a failure with whether client libraries retry it. */
export type Outcome = 'well' | 'not now' | { said: string; isRetried: boolean };

/** Kind of request. */
export interface Kind {
  name: string;
  use(use: Use): Promise<Outcome>;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const basic = ({ client_id, client_secret }: { client_id: string; client_secret: string }) => ({
  authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
});

/** Sends a request as one kind of client and checks the response. */
async function ask(
  library: Parameters<typeof isRetried>[0],
  sender: Sender,
  sent: Sent,
  isRight: (reply: Reply) => boolean,
): Promise<Outcome> {
  const reply = await sender.send(sent);
  if (isRight(reply)) return 'well';
  const said = reply.failed ?? `${reply.status} ${JSON.stringify(reply.body)?.slice(0, 300)}`;
  return { said, isRetried: isRetried(library, reply) };
}

const client = 'openid-client';

const token: Kind = {
  name: 'token',
  use: ({ caller: { tenant }, sender }) =>
    ask(
      client,
      sender,
      {
        url: `${tenant.issuer}/token`,
        headers: basic(tenant.clients.admin),
        form: { grant_type: 'client_credentials' },
      },
      ({ status, body }) => status === 200 && typeof body.access_token === 'string',
    ),
};

const refresh: Kind = {
  name: 'refresh',
  async use({ caller, sender }) {
    if (caller.isRefreshing) return 'not now';
    caller.isRefreshing = true;
    const { tenant, refreshToken } = caller;
    try {
      return await ask(
        client,
        sender,
        {
          url: `${tenant.issuer}/token`,
          form: {
            grant_type: 'refresh_token',
            client_id: tenant.clients.web.client_id,
            refresh_token: refreshToken,
          },
        },
        ({ status, body }) => {
          if (status !== 200 || typeof body.refresh_token !== 'string') return false;
          caller.refreshToken = body.refresh_token;
          caller.accessToken = body.access_token;
          return true;
        },
      );
    } finally {
      caller.isRefreshing = false;
    }
  },
};

const introspection: Kind = {
  name: 'introspection',
  use: ({ caller: { tenant, accessToken, id }, sender }) =>
    ask(
      client,
      sender,
      {
        url: `${tenant.issuer}/introspect`,
        headers: basic(tenant.clients.api),
        form: { token: accessToken },
      },
      ({ status, body }) => status === 200 && body.active === true && body.sub === id,
    ),
};

const userinfo: Kind = {
  name: 'userinfo',
  use: ({ caller: { tenant, accessToken, id }, sender }) =>
    ask(
      client,
      sender,
      { url: `${tenant.issuer}/userinfo`, headers: bearer(accessToken) },
      ({ status, body }) => status === 200 && body.sub === id,
    ),
};

const scimRead: Kind = {
  name: 'SCIM read',
  use: ({ caller: { tenant, name, id }, sender }) =>
    ask(
      'SCIM',
      sender,
      {
        url: `${tenant.scim}/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`,
        headers: bearer(tenant.clients.scim.token),
      },
      ({ status, body }) => status === 200 && body.Resources?.[0]?.id === id,
    ),
};

const scimWrite: Kind = {
  name: 'SCIM write',
  use: ({ caller: { tenant, id }, sender, turn }) =>
    ask(
      'SCIM',
      sender,
      {
        url: `${tenant.scim}/Users/${id}`,
        method: 'PATCH',
        headers: { ...bearer(tenant.clients.scim.token), 'content-type': 'application/scim+json' },
        json: {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'replace', path: 'title', value: `title ${turn}` }],
        },
      },
      ({ status }) => status === 200 || status === 204,
    ),
};

const scimCreation: Kind = {
  name: 'SCIM creation',
  use: ({ caller: { tenant, name }, sender, turn }) =>
    ask(
      'SCIM',
      sender,
      {
        url: `${tenant.scim}/Users`,
        headers: { ...bearer(tenant.clients.scim.token), 'content-type': 'application/scim+json' },
        json: {
          schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
          userName: `${name}-hires-${turn}`,
        },
      },
      ({ status }) => status === 201,
    ),
};

const inGraph = (
  { demo, sender }: Use,
  accessToken: string,
  json: { query: string; variables?: object },
  isRight: (data: Reply['body']) => boolean,
): Promise<Outcome> =>
  ask(
    'Apollo Client',
    sender,
    { url: demo.graphql, headers: bearer(accessToken), json },
    ({ status, body }) => status === 200 && body.errors === undefined && isRight(body.data),
  );

/** Query with fields of all three subgraphs. */
const people = `query ($id: ID!) { user(id: $id) {
  id userName groups { id displayName } sessions { id createdAt } provisioning { source { name } externalId } } }`;

const query: Kind = {
  name: 'graph query',
  use: (use) =>
    inGraph(
      use,
      use.caller.admin,
      { query: people, variables: { id: use.caller.id } },
      ({ user }) => user?.id === use.caller.id && user.sessions.length > 0,
    ),
};

const own: Kind = {
  name: 'graph query of the own account',
  use: (use) =>
    inGraph(
      use,
      use.caller.accessToken,
      { query: '{ me { id userName } }' },
      ({ me }) => me?.id === use.caller.id,
    ),
};

const change = 'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id nickName } } }';

const mutation: Kind = {
  name: 'graph mutation',
  use: (use) => {
    const nickName = `nick ${use.turn}`;
    const variables = { input: { id: use.caller.id, nickName } };
    return inGraph(
      use,
      use.caller.admin,
      { query: change, variables },
      ({ updateUser }) => updateUser?.user?.nickName === nickName,
    );
  },
};

/**
 * Sign-in over the pages up to the tokens. It is less frequent than other requests, because password hashes are
 * expensive.
 */
export const signIn: Kind = {
  name: 'sign-in',
  async use({ demo, caller: { tenant, user } }) {
    try {
      await signInAs(demo, tenant, user, { scope: 'openid profile' });
      return 'well';
    } catch (error) {
      const { message, cause } = error as { message: string; cause?: { code?: string; message?: string } };
      const why = cause?.code ?? cause?.message;
      return { said: why === undefined ? message : `${message}: ${why}`, isRetried: false };
    }
  },
};

export const kinds: readonly Kind[] = [
  token,
  refresh,
  introspection,
  userinfo,
  scimRead,
  query,
  userinfo,
  scimWrite,
  introspection,
  own,
  mutation,
  userinfo,
  scimRead,
  scimCreation,
];
