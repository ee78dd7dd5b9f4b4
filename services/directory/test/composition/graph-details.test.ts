import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { type InvalidPolicySetting, readTenantPolicy, tenantPolicyNames } from '@ostiary/events';
import { graphDetail, ScimError, type ScimType } from '@ostiary/scim';
import { graphErrors } from '../../src/errors/graph/errors.ts';
import { directoryProblem } from '../../src/errors/graph/problems.ts';
import { InvalidAttribute } from '../../src/errors/refusals.ts';

/**
 * Terms of SCIM that error messages of the graph must not contain. Errors of the domain and the SCIM library can
 * occur in the graph, where the messages name the graph's own arguments.
 */

const foreign =
  /startIndex|itemsPerPage|totalResults|sortBy|sortOrder|excludedAttributes|scimType|PATCH|Bulk|Operations|If-Match|RFC 764|RFC 9865|send "cursor"|"cursor"|"count"|"schemas"|the path\b|its path\b|members\[/;

const places = [
  { folder: new URL('../../src/', import.meta.url), within: /./ },
  { folder: new URL('../../../../libs/scim/src/', import.meta.url), within: /./ },
  { folder: new URL('../../../provisioning/src/', import.meta.url), within: /(^|\/)graph\// },
];
const sources = places.flatMap(({ folder, within }) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => within.test(file) && file.endsWith('.ts') && !/generated|test/.test(file))
    .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') })),
);

/** Returns every string of a source that may be a detail: sentences, with `…` for inserted values. */
function sentencesIn(source: string): string[] {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return (
    [...code.matchAll(/'((?:[^'\\\n]|\\.)+)'|"((?:[^"\\\n]|\\.)+)"|`((?:[^`\\]|\\.)+)`/g)]
      .map(([, single, double, template]) =>
        (single ?? double ?? template ?? '').replace(/\$\{[^}]*\}/g, '…').replace(/\\(['"`])/g, '$1'),
      )
      // SQL is excluded: it never appears in a message.
      .filter((text) => /\w .*\w/.test(text) && !/\b(SELECT|INSERT|UPDATE|DELETE|WHERE|FROM)\b|\n/.test(text))
  );
}

const sentences = [...new Set(sources.flatMap(({ text }) => sentencesIn(text)))];
const types: readonly (ScimType | undefined)[] = [
  'invalidFilter',
  'tooMany',
  'uniqueness',
  'mutability',
  'invalidSyntax',
  'invalidPath',
  'noTarget',
  'invalidValue',
  'invalidVers',
  'sensitive',
  'invalidCursor',
  'expiredCursor',
  'invalidCount',
  undefined,
];

describe('Error details in the graph', () => {
  test('An error detail of the graph contains no advice from SCIM, for every error of the domain and of SCIM.', () => {
    expect(sentences.length).toBeGreaterThan(150);
    const wrong = sentences.flatMap((detail) =>
      types.flatMap((type) =>
        [400, 404, 409, 412, 413].flatMap((status) => {
          const error = new ScimError(status, detail, type);
          const said = [graphErrors(error)?.message, directoryProblem(error)?.message];
          return said.filter((each) => each !== undefined && foreign.test(each)).map((each) => [type, each]);
        }),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('The error detail states the accepted values of a tenant policy setting, for each setting.', () => {
    for (const name of tenantPolicyNames) {
      let refused: unknown;
      try {
        readTenantPolicy({ [name]: {} });
      } catch (error) {
        refused = error;
      }
      const { message } = refused as InvalidPolicySetting;
      expect(message).toMatch(/must/);
      expect([name, directoryProblem(new InvalidAttribute(message, name))?.message]).toEqual([name, message]);
    }
  });

  test('The graph returns the detail of SCIM unchanged where it is about attributes and values.', () => {
    for (const detail of [
      'A user must have a userName.',
      'emails.value must be of type string, not a number.',
    ]) {
      expect(graphDetail(ScimError.invalidValue(detail))).toBe(detail);
    }
    const same = sentences.filter((detail) => graphDetail(ScimError.invalidValue(detail)) === detail);
    expect(same.length / sentences.length).toBeGreaterThan(0.7);
  });

  test('Error details of the graph are created in one place, and no resolver uses a detail unchanged.', () => {
    const resolvers = sources.filter(({ text }) => /GraphQL|@ostiary\/graph/.test(text));
    expect(resolvers.length).toBeGreaterThan(10);
    expect(resolvers.filter(({ text }) => /\.detail\b/.test(text)).map(({ file }) => file)).toEqual([]);
  });
});
