// An app on the graph in forty lines: reads people, listens for changes, makes one, and hears of it.
//   node docs/examples/app.mjs
import { readFileSync } from 'node:fs';
import { createClient } from 'graphql-sse';

const home = process.env.OSTIARY_HOME ?? '.ostiary';
const { graphql, tenants } = JSON.parse(readFileSync(`${home}/demo.json`, 'utf8'));
const { issuer, clients } = tenants.demo;

// An app acting for itself; one that acts for a person signs them in (sign-in.mjs) and asks for `me`.
const { access_token } = await post(`${issuer}/token`, {
  headers: { authorization: `Basic ${btoa(`${clients.admin.client_id}:${clients.admin.client_secret}`)}` },
  body: new URLSearchParams({ grant_type: 'client_credentials', scope: 'users:read users:write' }),
});
const authorization = `Bearer ${access_token}`;

const { users } = await graph(
  'query People($first: Int!) { users(first: $first) { totalCount edges { node { id userName } } } }',
  { first: 5 },
);
console.log(`${users.totalCount} people, ${users.edges.map(({ node }) => node.userName).join(', ')}, …`);

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
  console.log(`heard ${kind} ${userName}`);
  break;
}
live.dispose();

/** A problem is an error with a code; what could be answered all the same is in data. */
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
