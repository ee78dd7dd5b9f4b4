import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  buildSchema,
  type FieldDefinitionNode,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  parse,
  valueFromASTUntyped,
} from 'graphql';
import { composeApi, subgraphSdl } from '../../src/schema/graph/compose.ts';
import { serviceNames } from '../../src/upstreams/index.ts';

/** Returns the sentences of a description. Code, abbreviations and numbers end none. */
function sentencesOf(description: string): string[] {
  const prose = description
    .replaceAll(/`[^`]*`/g, 'code')
    .replaceAll(/\b(?:e\.g|i\.e|etc|vs|cf|approx|sec)\.(?!$)/gi, 'abbreviation');
  return prose.trim().split(/(?<=[.!?][)"'”]*)\s+/u);
}

interface RootField {
  readonly coordinate: string;
  readonly description: string;
  /** Name of its type, without list and non-null. */
  readonly returns: string;
  readonly scopes: { any?: string[]; self?: string[]; user?: boolean; platform?: boolean };
  readonly confers: { recentSignIn?: boolean };
}

let schema: GraphQLSchema;
/** Descriptions by coordinate. */
const descriptions = new Map<string, string>();
const rootFields: RootField[] = [];

beforeAll(async () => {
  schema = buildSchema(await composeApi());
  readDescriptions();
  // Composition removes the directives.
  for (const service of serviceNames)
    for (const node of parse(subgraphSdl(service)).definitions)
      if (
        node.kind === Kind.OBJECT_TYPE_DEFINITION &&
        /^(?:Query|Mutation|Subscription)$/.test(node.name.value)
      )
        rootFields.push(...(node.fields ?? []).map((field) => rootField(node.name.value, field)));
});

function readDescriptions(): void {
  const add = (coordinate: string, description: string | null | undefined): void => {
    descriptions.set(coordinate, (description ?? '').replaceAll(/\s+/g, ' ').trim());
  };
  for (const type of Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'))) {
    add(type.name, type.description);
    if (isEnumType(type))
      for (const { name, description } of type.getValues()) add(`${type.name}.${name}`, description);
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      add(`${type.name}.${field.name}`, field.description);
      for (const { name, description } of 'args' in field ? field.args : [])
        add(`${type.name}.${field.name}(${name}:)`, description);
    }
  }
}

function rootField(type: string, { name, type: returned, directives = [] }: FieldDefinitionNode): RootField {
  const coordinate = `${type}.${name.value}`;
  const argumentsOf = (directive: string): object =>
    Object.fromEntries(
      directives
        .filter((one) => one.name.value === directive)
        .flatMap((one) => one.arguments ?? [])
        .map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
    );
  let named = returned;
  while (named.kind !== Kind.NAMED_TYPE) named = named.type;
  return {
    coordinate,
    description: descriptions.get(coordinate) ?? '',
    returns: named.name.value,
    scopes: argumentsOf('scopes'),
    confers: argumentsOf('confers'),
  };
}

const possibleTypes = (name: string): string[] => {
  const type = schema.getType(name);
  return isAbstractType(type) ? schema.getPossibleTypes(type).map((one) => one.name) : [];
};

const problemCodes = (): string[] => {
  const type = schema.getType('ProblemCode');
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
};

describe('sentences', () => {
  test.each([
    ['Id of the user.', 1],
    ['Country code (ISO 3166-1 alpha-2)', 1],
    ['Time, e.g. of the last use, as in RFC 7644 section 3.4.2.2. Default: none.', 2],
    ['The value `a. B. C.` is accepted. So is 1.5.', 2],
    ['Deletes a user (or a group.) The deletion is final! Is it?', 3],
  ])('"%s" is counted correctly.', (text, count) => {
    expect(sentencesOf(text)).toHaveLength(count);
  });

  test('Every element of the API has a description of one to three sentences.', () => {
    expect(descriptions.size).toBeGreaterThan(2000);
    const wrong = [...descriptions].filter(([, text]) => text === '' || sentencesOf(text).length > 3);
    expect(wrong).toEqual([]);
  });
});

describe('required access', () => {
  test('Every root field has an access rule, and names each scope that the rule accepts.', () => {
    const coordinates = [...descriptions.keys()].filter((one) =>
      /^(?:Query|Mutation|Subscription)\.\w+$/.test(one),
    );
    expect(rootFields.map(({ coordinate }) => coordinate).toSorted()).toEqual(coordinates.toSorted());
    for (const { coordinate, description, returns, scopes } of rootFields) {
      expect([coordinate, scopes]).not.toEqual([coordinate, {}]);
      if (returns === 'Node') continue;
      const missing = [...(scopes.any ?? []), ...(scopes.self ?? [])].filter(
        (scope) => !description.includes(`\`${scope}\``),
      );
      expect([coordinate, missing]).toEqual([coordinate, []]);
    }
  });

  test('A root field that returns objects of any type refers to the scopes that each type names.', () => {
    const fields = rootFields.filter(({ returns }) => returns === 'Node');
    expect(fields).toHaveLength(2);
    for (const { description } of fields)
      expect(description).toMatch(/Requires .*the scope that .*type.* names/);
    expect(possibleTypes('Node').length).toBeGreaterThan(10);
    for (const name of possibleTypes('Node'))
      expect([name, descriptions.get(name)]).toEqual([name, expect.stringMatching(/Requires `[a-z]+:read`/)]);
  });

  test('A root field that any user can read describes the access of users without a scope.', () => {
    const fields = rootFields.filter(({ scopes, returns }) => scopes.user && returns !== 'Node');
    expect(fields.length).toBeGreaterThan(3);
    for (const { coordinate, description } of fields)
      expect([coordinate, description]).toEqual([
        coordinate,
        expect.stringMatching(/\bUsers (?:without|can)\b|Requires a user's access token/),
      ]);
  });

  test('The description of a root field names a token of the platform if and only if its rule requires one.', () => {
    for (const { coordinate, description, scopes } of rootFields)
      expect([coordinate, /Requires .* in a token of the platform/.test(description)]).toEqual([
        coordinate,
        scopes.platform === true,
      ]);
  });

  test('The description of a mutation names a recent sign-in if and only if the mutation can require one.', () => {
    for (const { coordinate, description, confers } of rootFields)
      expect([coordinate, /\brecent sign-in\b/.test(description)]).toEqual([
        coordinate,
        confers.recentSignIn === true,
      ]);
  });
});

describe('errors', () => {
  test('Every mutation returns its problems, which the payload describes.', () => {
    for (const { name, type } of Object.values(schema.getMutationType()?.getFields() ?? {}))
      expect([name, descriptions.get(`${getNamedType(type).name}.problems`)]).toEqual([
        name,
        expect.stringMatching(/^Reasons why the .* was not .*\b[Ee]mpty if /),
      ]);
  });

  test('Every problem code has one type, and both describe the same condition.', () => {
    const codes = possibleTypes('Problem').map((name) =>
      descriptions.get(`${name}.code`)?.replace(/\.$/, ''),
    );
    expect(codes.toSorted()).toEqual(problemCodes().toSorted());
    for (const [index, name] of possibleTypes('Problem').entries()) {
      const condition = descriptions.get(`ProblemCode.${codes[index]}`) ?? '';
      expect(condition).toMatch(/ (?:is|was|has|refers|conflicts) /);
      expect(descriptions.get(name)?.slice(0, 20)).toBe(condition.slice(0, 20));
    }
  });

  test('Descriptions of root fields name only error codes that exist.', () => {
    const named = rootFields.flatMap(({ description }) =>
      [...description.matchAll(/(?:[Ff]ails|and) with `?([A-Z_]{3,})/g)].map(([, code]) => code),
    );
    expect(named.length).toBeGreaterThan(5);
    // A missing right is an error of the request.
    for (const code of named) expect([...problemCodes(), 'FORBIDDEN']).toContain(code);
  });
});
