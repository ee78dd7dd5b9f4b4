import { ApolloClient, ApolloLink, gql, HttpLink, InMemoryCache, Observable } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { print } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { runningDemo, unique } from '../../support/demo.ts';
import { ScimClient } from '../../support/scim.ts';
import { adminToken } from '../../support/sign-in.ts';

/**
 * App with Apollo's normalized cache: objects by type and id, connections joined page by page, and events over a
 * WebSocket or server-sent events.
 */

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;

type Transport = 'websocket' | 'sse';
interface Person {
  __typename: 'User';
  id: string;
  userName: string;
  displayName: string | null;
  version: number;
}
interface UsersPage {
  users: {
    edges: { cursor: string; node: Person }[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

let token: string;
let scim: ScimClient;
const closing: (() => void)[] = [];

beforeAll(async () => {
  token = await adminToken(tenant);
  scim = new ScimClient(tenant, tenant.clients.scim.token);
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const authorization = (of: string) => `Bearer ${of}`;

function subscribing(by: Transport, of: string): ApolloLink {
  if (by === 'websocket') {
    const client = createWsClient({
      url: demo.graphql.replace(/^http/, 'ws'),
      webSocketImpl: WebSocket,
      connectionParams: { authorization: authorization(of) },
    });
    closing.push(() => void client.dispose());
    return new GraphQLWsLink(client);
  }
  const client = createSseClient({ url: demo.graphql, headers: { authorization: authorization(of) } });
  closing.push(() => client.dispose());
  return new ApolloLink(
    ({ query, variables, operationName }) =>
      new Observable((observer) =>
        client.subscribe(
          { query: print(query), variables, ...(operationName === undefined ? {} : { operationName }) },
          {
            ...observer,
            next: (result) => observer.next(result as never),
            error: (e) => observer.error(e),
            complete: () => observer.complete(),
          },
        ),
      ),
  );
}

function newClient(by: Transport = 'websocket', of = token): ApolloClient {
  const http = new HttpLink({ uri: demo.graphql, headers: { authorization: authorization(of) } });
  const client = new ApolloClient({
    link: ApolloLink.split(
      ({ operationType }) => operationType === 'subscription',
      subscribing(by, of),
      http,
    ),
    cache: new InMemoryCache({
      possibleTypes: { Node: ['User', 'Group'] },
      typePolicies: { Query: { fields: { users: relayStylePagination(['where', 'orderBy']) } } },
    }),
  });
  closing.push(() => client.stop());
  return client;
}

const person = gql`
  fragment Person on User { id userName displayName version }
`;
const people = gql`
  query People($first: Int!, $after: String, $where: UserFilter) {
    users(first: $first, after: $after, where: $where) {
      edges { cursor node { ...Person } }
      pageInfo { hasNextPage endCursor }
    }
  }
  ${person}
`;
const again = gql`
  query Again($id: ID!) { node(id: $id) { id ...Person } }
  ${person}
`;
const rename = gql`
  mutation Rename($input: UpdateUserInput!) {
    updateUser(input: $input) { user { ...Person } problems { code message } }
  }
  ${person}
`;

/** Creates five users for this test. */
async function five(): Promise<{ where: object; ids: string[] }> {
  const prefix = unique('apollo');
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) ids.push((await scim.createUser({ userName: `${prefix}-${n}` })).id);
  return { where: { userName: { startsWith: prefix } }, ids };
}

/** Watches a list until it is loaded. */
async function showing(client: ApolloClient, variables: { first: number; where: object }) {
  const list = client.watchQuery<UsersPage>({ query: people, variables });
  const watched = list.subscribe(() => undefined);
  closing.push(() => watched.unsubscribe());
  await eventually(
    async () => list.getCurrentResult(),
    ({ loading }) => !loading,
  );
  const page = () => (list.getCurrentResult().data as UsersPage).users;
  return {
    list,
    page,
    ids: () => page().edges.map(({ node }) => node.id),
    name: () => page().edges[0]?.node.displayName,
  };
}

describe('@apollo/client', () => {
  test('The client joins the pages of a connection and keeps each user once.', async () => {
    const { where, ids } = await five();
    const client = newClient();
    const shown = await showing(client, { first: 2, where });
    expect(shown.ids()).toEqual(ids.slice(0, 2));
    let { pageInfo } = shown.page();
    for (let pages = 1; pageInfo.hasNextPage && pages < 5; pages += 1) {
      const { data } = await shown.list.fetchMore({ variables: { after: pageInfo.endCursor } });
      if (data) pageInfo = data.users.pageInfo;
    }
    await eventually(
      async () => shown.ids(),
      (all) => all.length >= 5,
    );
    expect(shown.ids()).toEqual(ids);
    const kept = Object.keys(client.cache.extract() as object).filter((key) => key.startsWith('User:'));
    expect(kept.toSorted()).toEqual(ids.map((id) => `User:${id}`).toSorted());
  });

  test('The client recognises an object by its id, both from node and in the response to a change.', async () => {
    const { where, ids } = await five();
    const [id = ''] = ids;
    const client = newClient();
    const shown = await showing(client, { first: 5, where });

    // Another client changes the user. After a query by id, every list shows the change.
    await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'displayName', value: 'By SCIM' }]);
    const { data } = await client.query<{ node: Person }>({
      query: again,
      variables: { id },
      fetchPolicy: 'network-only',
    });
    expect(data?.node).toMatchObject({ __typename: 'User', id, displayName: 'By SCIM' });
    await eventually(
      async () => shown.name(),
      (name) => name === 'By SCIM',
    );

    const version = data?.node.version;
    const changed = await client.mutate<{ updateUser: { user: Person; problems: object[] } }>({
      mutation: rename,
      variables: { input: { id, version, displayName: 'By the app' } },
    });
    expect(changed.data?.updateUser.problems).toEqual([]);
    await eventually(
      async () => shown.name(),
      (name) => name === 'By the app',
    );
  });

  test.each<Transport>(['websocket', 'sse'])(
    'A change that arrives by %s appears everywhere that the client shows the object.',
    async (by) => {
      const { where, ids } = await five();
      const [id = ''] = ids;
      const client = newClient(by);
      const shown = await showing(client, { first: 5, where });
      const notified: unknown[] = [];
      const changes = client
        .subscribe<{ userChanged: { kind: string; user: Person | null } }>({
          query: gql`subscription Changes($ids: [ID!]) { userChanged(ids: $ids) { id kind user { ...Person } } } ${person}`,
          variables: { ids },
        })
        .subscribe({ next: ({ data }) => void notified.push(data?.userChanged.kind) });
      closing.push(() => changes.unsubscribe());

      let round = 0;
      // A subscription has no acknowledgement, so the first change may precede it. The change is repeated.
      await eventually(
        async () => {
          round += 1;
          const value = `Round ${round}`;
          await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'displayName', value }]);
          await new Promise((resolve) => setTimeout(resolve, 300));
          return shown.name();
        },
        (name) => /^Round/.test(name ?? ''),
      );
      expect(notified).toContain('UPDATED');
    },
  );

  test('The client stores nothing of another tenant.', async () => {
    const { ids } = await five();
    const client = newClient('websocket', await adminToken(rival));
    const { data } = await client.query<{ node: Person | null }>({ query: again, variables: { id: ids[0] } });
    expect(data?.node).toBeNull();
    expect(JSON.stringify(client.cache.extract())).not.toContain(`User:${ids[0]}`);
  });
});
