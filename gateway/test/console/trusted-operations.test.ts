import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { parseEnv, type Redis } from '@ostiary/service';
import { testKeys } from '@ostiary/service/testing';
import { buildSchema } from 'graphql';
import { readTrustedDocuments } from '../../src/admission/graph/trusted-documents.ts';
import { consoleOf, guardsOf } from '../../src/composition/process.ts';
import { env } from '../../src/env.ts';
import { Services } from '../support/system.ts';

const folder = mkdtempSync(join(tmpdir(), 'operations-'));
const digest = (text: string) => createHash('sha256').update(text).digest('hex');
const manifest = (name: string, operations: Record<string, string>): string => {
  const path = join(folder, name);
  writeFileSync(path, JSON.stringify(operations));
  return path;
};

const own = 'query Own { users { id } }';
const ofConsole = 'query Listed { users(first: 1) { name } }';
const ownPath = manifest('own.json', { own });
const consolePath = manifest('documents.json', { [digest(ofConsole)]: ofConsole });

afterAll(() => rmSync(folder, { recursive: true }));

describe('the operations of the console', () => {
  let services: Services;
  let token: string;
  beforeAll(async () => {
    const issuer = new Issuer();
    services = await Services.start(issuer);
    token = await issuer.token({ scopes: ['users:read'] });
  });
  afterAll(() => services.stop());

  test('The operations of the console and of the configured manifest are executed, and no others.', async () => {
    const documents = await readTrustedDocuments([ownPath], [consolePath]);
    const gateway = await services.gateway({ guards: { documents, documentsOnly: true } });
    const ask = async (body: object) => {
      const response = await fetch(`${gateway.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      return (await response.json()) as { data?: unknown; errors?: { extensions: { code: string } }[] };
    };
    expect(await ask({ documentId: 'own' })).toEqual({ data: { users: [{ id: 'alice' }, { id: 'bob' }] } });
    expect(await ask({ documentId: digest(ofConsole) })).toEqual({ data: { users: [{ name: 'Alice' }] } });
    const other = await ask({ query: '{ users { id name } }' });
    expect(other.errors?.[0]?.extensions.code).toBe('PERSISTED_QUERY_ID_REQUIRED');
  });
});

describe('two manifests', () => {
  test('Both manifests may contain the same operation.', async () => {
    const twice = await readTrustedDocuments([ownPath, manifest('same.json', { own })]);
    expect([twice.size, twice.textOf('own')]).toEqual([1, own]);
  });

  test('An id with different operations in both manifests is rejected.', async () => {
    await expect(readTrustedDocuments([ownPath, manifest('other.json', { own: ofConsole })])).rejects.toThrow(
      'The id own is of two trusted documents.',
    );
  });
});

test('A schema that does not match an operation of the console is served; a mismatch with a configured manifest is a problem.', async () => {
  const schema = buildSchema('type Query { users: [User] } type User { id: ID }');
  const documents = await readTrustedDocuments([ownPath], [consolePath]);
  expect(documents.problemsWith(schema)).toEqual([]);
  expect(documents.optionalProblemsWith(schema)).toHaveLength(1);
  const operators = await readTrustedDocuments([ownPath, consolePath]);
  expect(operators.problemsWith(schema)).toHaveLength(1);
});

describe('a process', () => {
  const given = (more: Record<string, string> = {}) =>
    parseEnv(env, {
      REDIS_URL: 'redis://127.0.0.1:6379',
      SERVICE_CLIENT_SECRET: 'a secret of some length',
      STREAM_KEY: testKeys.STREAM_KEY,
      ...more,
    });
  const redis = {} as Redis;

  test('With exclusive trusted documents, those of the console suffice; without any, the process does not start.', async () => {
    const only = given({ GRAPH_TRUSTED_DOCUMENTS_ONLY: 'true' });
    expect((await guardsOf(only, redis, consolePath)).documents?.size).toBe(1);
    await expect(guardsOf(only, redis)).rejects.toThrow('GRAPH_TRUSTED_DOCUMENTS');
    const both = given({ GRAPH_TRUSTED_DOCUMENTS_ONLY: 'true', GRAPH_TRUSTED_DOCUMENTS: ownPath });
    expect((await guardsOf(both, redis, consolePath)).documents?.size).toBe(2);
  });

  test('A disabled console adds no operations, and the reason is reported.', async () => {
    expect(await consoleOf(given({ CONSOLE: 'false' }), folder)).toEqual({
      console: expect.stringContaining('disabled'),
    });
    expect(await consoleOf(given(), folder)).toEqual({
      console: expect.stringContaining('without the console'),
    });
  });
});

const root = fileURLToPath(new URL('../../../', import.meta.url));
const written = join(root, 'console/src/graph/generated/documents.json');
test('Every operation of the console matches the schema of the graph.', async () => {
  const documents = await readTrustedDocuments([written]);
  expect(documents.size).toBeGreaterThan(0);
  const schema = buildSchema(readFileSync(join(root, 'gateway/released-api.graphql'), 'utf8'));
  expect(documents.problemsWith(schema)).toEqual([]);
});
