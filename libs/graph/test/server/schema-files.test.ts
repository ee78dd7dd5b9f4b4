import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { parse, print } from 'graphql';
import { mergeSchemaParts, readSchema } from '../../src/server/schema-files.ts';

const same = (one: string, other: string) => expect(print(parse(one))).toBe(print(parse(other)));

describe('the parts of a schema', () => {
  test('The parts of a schema form one schema that defines each type once, with any number of extensions.', () => {
    same(
      mergeSchemaParts([
        'extend schema @link(url: "u") "What can be read." type Query @shareable scalar Time',
        '"A pet." type Pet @key(fields: "id") { id: ID! } extend type Query { "One." pet(id: ID!): Pet }',
        'extend type Query { pets: [Pet!]! } extend type Pet implements Node @tag(name: "t") { name: String }',
        'enum Kind { CAT } extend enum Kind { DOG } union Any = Pet input In { a: Int } extend input In { b: Int }',
      ]),
      `extend schema @link(url: "u")
       "What can be read." type Query @shareable { "One." pet(id: ID!): Pet pets: [Pet!]! }
       scalar Time
       "A pet." type Pet implements Node @key(fields: "id") @tag(name: "t") { id: ID! name: String }
       enum Kind { CAT DOG } union Any = Pet input In { a: Int b: Int }`,
    );
  });

  test('The parts of a schema keep extensions of a type that none of them defines.', () => {
    same(
      mergeSchemaParts(['extend type Elsewhere { a: Int }', 'type Here { b: Int }']),
      'extend type Elsewhere { a: Int } type Here { b: Int }',
    );
  });

  test('A single part of a schema stays as it is written.', () => {
    expect(mergeSchemaParts(['# a remark\ntype Query { a: Int }'])).toBe('# a remark\ntype Query { a: Int }');
  });

  test('The parts are rejected when two define the same name, or one extends a type as another kind.', () => {
    expect(() => mergeSchemaParts(['type A { a: Int }', 'type A { b: Int }'])).toThrow(
      'defines A in two places',
    );
    expect(() => mergeSchemaParts(['directive @a on OBJECT', 'directive @a on FIELD'])).toThrow('@a');
    expect(() => mergeSchemaParts(['type A { a: Int }', 'extend input A { b: Int }'])).toThrow(
      'of another kind',
    );
  });
});

describe('the schema in a folder', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });
  const folderWith = async (files: Record<string, string>): Promise<URL> => {
    const folder = await mkdtemp(join(tmpdir(), 'schema-'));
    folders.push(folder);
    for (const [path, text] of Object.entries(files)) {
      await mkdir(join(folder, path, '..'), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    return pathToFileURL(`${folder}/`);
  };

  test('The schema in a folder consists of all its files in the order of their paths.', async () => {
    const folder = await folderWith({
      'pets/graph/pet.graphql': 'type Pet { id: ID! }',
      'composition/schema.graphql': 'type Query { a: Int }',
      'pets/graph/pet.ts': 'export {};',
    });
    same(readSchema(folder), 'type Query { a: Int } type Pet { id: ID! }');
  });

  test('A folder without a schema is an error.', async () => {
    const folder = await folderWith({ 'a.ts': '' });
    expect(() => readSchema(folder)).toThrow('There is no schema');
  });
});
