import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';
import { runningDemo } from '../../support/demo.ts';
import { type GraphAnswer, graph } from '../../support/graph.ts';
import { adminToken } from '../../support/sign-in.ts';

/**
 * Compiles operations for the released schema with Relay's compiler: a refetchable fragment of every Node type, and a
 * pagination fragment of every connection. The running system then executes the results.
 */

const schemaFile = fileURLToPath(new URL('../../../gateway/released-api.graphql', import.meta.url));
const compiler = createRequire(import.meta.url).resolve('relay-compiler/cli.js');
const demo = runningDemo();

let home: string;
let objects: GraphQLObjectType[];
/** Compiled operations by name. */
let operations: Map<string, string>;
let token: string;

type Field = GraphQLField<unknown, unknown>;

const isNode = (type: GraphQLObjectType): boolean => type.getInterfaces().some(({ name }) => name === 'Node');

/** Connections without required arguments. */
const connectionsOf = (type: GraphQLObjectType): Field[] =>
  Object.values(type.getFields()).filter(
    (field) =>
      getNamedType(field.type).name.endsWith('Connection') &&
      field.args.some(({ name }) => name === 'after') &&
      !field.args.some(isRequiredArgument),
  );

const upper = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/** Writes a fragment with a page of a connection, and the query for the next page. */
function paging(on: GraphQLObjectType, { name }: Field): string {
  const fragment = `App_${on.name}${upper(name)}`;
  return `export const ${fragment} = graphql\`
  fragment ${fragment} on ${on.name}
  @argumentDefinitions(first: { type: "Int", defaultValue: 2 }, after: { type: "String" })
  @refetchable(queryName: "App${on.name}${upper(name)}Query") {
    ${name}(first: $first, after: $after) @connection(key: "${fragment}_${name}") { edges { node { __typename } } }
  }\`;`;
}

/** Writes a fragment of a type, and the query that refetches the object. */
function refetching(type: GraphQLObjectType): string {
  const own = Object.values(type.getFields()).find(
    ({ name, type: of, args }) => name !== 'id' && args.length === 0 && !isObjectType(getNamedType(of)),
  );
  const hasFields = own !== undefined && !('getFields' in getNamedType(own.type));
  return `export const App_${type.name} = graphql\`
  fragment App_${type.name} on ${type.name} @refetchable(queryName: "App${type.name}Query") {
    id ${hasFields ? own.name : '__typename'}
  }\`;`;
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'relay-'));
  await mkdir(join(home, 'src'));
  await cp(schemaFile, join(home, 'schema.graphql'));
  const schema = buildSchema(await readFile(schemaFile, 'utf8'));
  objects = Object.values(schema.getTypeMap()).filter(isObjectType);
  const nodes = objects.filter(isNode);
  const query = schema.getQueryType() as GraphQLObjectType;
  const parts = [
    ...nodes.map(refetching),
    ...[query, ...nodes].flatMap((type) => connectionsOf(type).map((field) => paging(type, field))),
    // An operation of an app, composed of fragments.
    `export const AppPeopleQuery = graphql\`
  query AppPeopleQuery($first: Int!, $id: ID!) {
    ...App_QueryUsers @arguments(first: $first)
    again: node(id: $id) { ...App_User @alias ...App_Group @alias }
  }\`;`,
  ];
  await writeFile(
    join(home, 'src', 'App.js'),
    `import { graphql } from 'relay-runtime';\n${parts.join('\n')}\n`,
  );
  const config = {
    src: './src',
    schema: './schema.graphql',
    language: 'javascript',
    persistConfig: { file: './persisted.json', algorithm: 'SHA256' },
  };
  await writeFile(join(home, 'persisted.json'), '{}');
  await writeFile(join(home, 'relay.config.json'), JSON.stringify(config));
  await promisify(execFile)(process.execPath, [compiler, 'relay.config.json'], { cwd: home });
  const texts = JSON.parse(await readFile(join(home, 'persisted.json'), 'utf8')) as Record<string, string>;
  operations = new Map(
    Object.values(texts).map((text) => {
      const [operation] = parse(text).definitions;
      return [operation?.kind === 'OperationDefinition' ? (operation.name?.value ?? '') : '', text];
    }),
  );
  token = await adminToken(demo.tenants.demo);
});
afterAll(() => rm(home, { recursive: true, force: true }));

const ask = (name: string, variables: Record<string, unknown>): Promise<GraphAnswer> => {
  const text = operations.get(name);
  if (text === undefined) throw new Error(`the compiler made no ${name}`);
  return graph(demo, token, text, variables);
};

/** Returns errors that concern the operation itself, not the rights of the caller. */
const faults = ({ errors }: GraphAnswer): unknown[] =>
  errors.filter(({ extensions }) => extensions?.code !== 'FORBIDDEN').map(({ message }) => message);

const nobody = '01990000-0000-7000-8000-000000000000';

describe('relay-compiler', () => {
  test('The compiler accepts the whole schema and creates a query for each Node type and each connection.', () => {
    const nodes = objects.filter(isNode);
    expect(nodes.length).toBeGreaterThan(18);
    const missing = nodes.filter(({ name }) => !operations.has(`App${name}Query`)).map(({ name }) => name);
    expect(missing).toEqual([]);
    const paged = [...operations.keys()].filter((name) => /^AppQuery./.test(name));
    expect(paged.length).toBeGreaterThan(10);
  });

  test('The graph executes every query that the compiler creates.', async () => {
    const answered: string[] = [];
    const wrong: unknown[] = [];
    for (const name of operations.keys()) {
      const answer = await ask(name, { id: nobody, first: 2, after: null });
      if (answer.status !== 200 || faults(answer).length > 0)
        wrong.push([name, answer.status, answer.errors]);
      else if (answer.errors.length === 0) answered.push(name);
    }
    expect(wrong).toEqual([]);
    expect(answered.length).toBeGreaterThan(operations.size / 2);
  });

  test('A user of the list is refetched as the same object, and the next page begins where the last one ended.', async () => {
    const first = await ask('AppQueryUsersQuery', { first: 2 });
    const { edges, pageInfo } = first.data.users;
    expect([first.errors, edges.length, pageInfo.hasNextPage]).toEqual([[], 2, true]);
    const second = await ask('AppQueryUsersQuery', { first: 2, after: pageInfo.endCursor });
    const ids = [...edges, ...second.data.users.edges].map(({ node }) => node.id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) {
      const again = await ask('AppUserQuery', { id });
      expect([again.errors, again.data.node]).toMatchObject([[], { __typename: 'User', id }]);
      const sessions = await ask('AppUserSessionsConnectionQuery', { id, first: 1 });
      expect([sessions.errors, sessions.data.node.id]).toEqual([[], id]);
    }
    const whole = await ask('AppPeopleQuery', { first: 2, id: ids[0] });
    expect([whole.errors, whole.data.again.id]).toEqual([[], ids[0]]);
  });

  test('With the same query, another tenant receives none of the data.', async () => {
    const { data } = await ask('AppQueryUsersQuery', { first: 1 });
    const text = operations.get('AppUserQuery') ?? '';
    const rival = await adminToken(demo.tenants.rival);
    const answer = await graph(demo, rival, text, { id: data.users.edges[0].node.id });
    expect([answer.errors, answer.data]).toEqual([[], { node: null }]);
  });
});
