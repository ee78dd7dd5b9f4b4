// A small app on the graph: reads users, subscribes to changes, creates a user and receives the event.
//   node docs/examples/app.mjs
import { readFileSync } from 'node:fs';
import { createClient } from 'graphql-sse';

const home = process.env.OSTIARY_HOME ?? '.ostiary';
const { graphql, tenants } = JSON.parse(readFileSync(`${home}/demo.json`, 'utf8'));
const { issuer, clients } = tenants.demo;

// This app acts for itself. An app that acts for a user signs the user in (sign-in.mjs) and queries `me`.
const { access_token } = await post(`${issuer}/token`, {
  headers: { authorization: `Basic ${btoa(`${clients.admin.client_id}:${clients.admin.client_secret}`)}` },
  body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'users:read users:write' }),
});
const authorization = `Bearer ${access_token}`;

const { users } = await graph(
  'query Users($first: Int!) { users(first: $first) { totalCount edges { node { id userName } } } }',
  { first: 5 },
);
console.log(`${users.totalCount} users, ${users.edges.map(({ node }) => node.userName).join(', ')}, …`);

const live = createClient({ url: graphql, headers: { authorization }, retryAttempts: 3 });
const query = 'subscription { userChanged { kind user { id userName active } } }';
const changes = await new Promise((connected) => {
  const listening = live.iterate({ query }, { connected: () => connected(listening) });
});

const userName = `newcomer-${Date.now()}`;
const { createUser } = await graph(
  'mutation Create($input: CreateUserInput!) { createUser(input: $input) { user { id version } } }',
  { input: { userName } },
);
console.log(`created ${createUser.user.id}`);

for await (const { data, errors } of changes) {
  if (errors) throw new Error(errors[0].message);
  const { kind, user } = data.userChanged;
  if (user?.userName !== userName) continue;
  console.log(`received ${kind} ${userName}`);
  break;
}
live.dispose();

/** Throws the errors of a response, each with its code; fields without an error are in data. */
async function graph(query, variables) {
  const { data, errors } = await post(graphql, {
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  if (errors)
    throw new Error(errors.map(({ message, extensions }) => `${extensions.code}: ${message}`).join('\n'));
  return data;
}

async function post(url, init) {
  return (await fetch(url, { method: 'POST', ...init })).json();
}
