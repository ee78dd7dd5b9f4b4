import { expect, test } from '@jest/globals';
import { parseEnv } from '@ostiary/service';
import { testKeys } from '@ostiary/service/testing';
import { env, subgraphTimeouts } from '../src/env.ts';

const needed = {
  REDIS_URL: 'redis://127.0.0.1:6379',
  SERVICE_CLIENT_SECRET: 'a secret of some length',
  STREAM_KEY: testKeys.STREAM_KEY,
};

test.each([
  ['production', { NODE_ENV: 'production' }, false],
  ['nothing said', {}, false],
  ['development', { NODE_ENV: 'development' }, true],
])('Introspection and GraphiQL have a default by environment: %s.', (_name, given, on) => {
  const { GRAPH_INTROSPECTION, GRAPH_GRAPHIQL } = parseEnv(env, { ...needed, ...given });
  expect([GRAPH_INTROSPECTION, GRAPH_GRAPHIQL]).toEqual([on, on]);
});

test('Introspection and GraphiQL are enabled in production only by configuration.', () => {
  const said = { NODE_ENV: 'production', GRAPH_INTROSPECTION: 'true' };
  const { GRAPH_INTROSPECTION, GRAPH_GRAPHIQL } = parseEnv(env, { ...needed, ...said });
  expect([GRAPH_INTROSPECTION, GRAPH_GRAPHIQL]).toEqual([true, false]);
});

test('A subgraph has its own timeout or the common timeout.', () => {
  const of = (given: NodeJS.ProcessEnv) => subgraphTimeouts(parseEnv(env, { ...needed, ...given }));
  expect(of({})).toEqual({ auth: 10_000, directory: 10_000, provisioning: 10_000 });
  expect(
    of({ SUBGRAPH_TIMEOUT_MILLISECONDS: '5000', SUBGRAPH_TIMEOUT_MILLISECONDS_PROVISIONING: '200' }),
  ).toEqual({ auth: 5_000, directory: 5_000, provisioning: 200 });
  expect(
    of({ SUBGRAPH_TIMEOUT_MILLISECONDS_AUTH: '1', SUBGRAPH_TIMEOUT_MILLISECONDS_DIRECTORY: '2' }),
  ).toEqual({
    auth: 1,
    directory: 2,
    provisioning: 10_000,
  });
});
