import { describe, expect, test } from '@jest/globals';
import {
  type Attribute,
  applyPatch,
  bindFilter,
  coreRegistry,
  evaluate,
  type JsonObject,
  type JsonValue,
  parseFilter,
  parseOperations,
  project,
  type Resource,
  ScimError,
  validateResource,
} from '../../src/index.ts';

/**
 * RFC 7643 §3.1, §4 and §8.7.1 by attribute: each announced characteristic is enforced. The cases come from the
 * registry, so that new attributes are tested as well.
 */
const registry = coreRegistry();

interface Place {
  type: string;
  /** Full name of the attribute. */
  path: string;
  attribute: Attribute;
  parent?: Attribute;
  extension?: string;
}

const places: Place[] = registry
  .resourceTypes()
  .flatMap(({ name: type }) => [
    ...registry.attributes(type).flatMap((attribute) => placesOf(type, attribute)),
    ...registry
      .extensions(type)
      .flatMap(({ schema }) =>
        schema.attributes.flatMap((attribute) => placesOf(type, attribute, schema.id)),
      ),
  ]);

function placesOf(type: string, attribute: Attribute, extension?: string): Place[] {
  const name = `${extension === undefined ? '' : `${extension}:`}${attribute.name}`;
  const more = extension === undefined ? {} : { extension };
  return [
    { type, path: name, attribute, ...more },
    ...(attribute.subAttributes ?? []).map((sub) => ({
      type,
      path: `${name}.${sub.name}`,
      attribute: sub,
      parent: attribute,
      ...more,
    })),
  ];
}

const cases = (wanted: (place: Place) => boolean): [string, Place][] =>
  places
    .filter((place) => place.path !== 'schemas' && wanted(place))
    .map((place) => [`${place.type} ${place.path}`, place]);

/** Returns the settable parts of a complex attribute. */
const settable = (attribute: Attribute): readonly Attribute[] =>
  (attribute.subAttributes ?? []).filter(
    (sub) => attribute.mutability === 'readOnly' || sub.mutability !== 'readOnly',
  );

/** Returns a valid value; texts have letters of both cases. */
function fitting(attribute: Attribute): JsonValue {
  const single = (): JsonValue => {
    switch (attribute.type) {
      case 'boolean':
        return true;
      case 'integer':
      case 'decimal':
        return 7;
      case 'dateTime':
        return '2020-01-01T00:00:00.000Z';
      case 'binary':
        return 'QUJDRA==';
      case 'reference':
        return 'https://example.com/A';
      case 'complex':
        return Object.fromEntries(settable(attribute).map((sub) => [sub.name, fitting(sub)]));
      default:
        return attribute.canonicalValues?.[0] ?? 'Aa';
    }
  };
  return attribute.multiValued ? [single()] : single();
}

const minimal = (type: string): Resource => ({
  schemas: [registry.coreSchema(type).id],
  ...(type === 'User' ? { userName: 'ada' } : { displayName: 'G' }),
});

/** Returns the parts without which the parent has no value: required ones, and one that is more than a label. */
function needed(parent: Attribute | undefined): readonly Attribute[] {
  const parts = parent?.subAttributes ?? [];
  const value = parts.find(({ name }) => !['type', 'primary', 'display', '$ref'].includes(name));
  return parts.filter((sub) => sub.required || (parent?.multiValued && sub === value));
}

/** Returns a minimal resource with a value at the place. */
function holding(place: Place, value: JsonValue = fitting(place.attribute)): Resource {
  const { type, attribute, parent, extension } = place;
  const required = needed(parent);
  const element = parent && {
    ...Object.fromEntries(required.map((sub) => [sub.name, fitting(sub)])),
    [attribute.name]: value,
  };
  const top = parent ?? attribute;
  const content: JsonValue = element === undefined ? value : parent?.multiValued ? [element] : element;
  const owner: JsonObject = { [top.name]: content };
  return { ...minimal(type), ...(extension === undefined ? owner : { [extension]: owner }) };
}

/** Returns the value at the place; of a list, the first. */
function at({ attribute, parent, extension }: Place, resource: Resource): JsonValue | undefined {
  const keys = [
    ...(extension === undefined ? [] : [extension]),
    ...(parent ? [parent.name] : []),
    attribute.name,
  ];
  return keys.reduce<JsonValue | undefined>((value, key) => {
    const one = Array.isArray(value) ? value[0] : value;
    return (one as JsonObject | undefined)?.[key];
  }, resource);
}

function failure(run: () => unknown): string | undefined {
  try {
    run();
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
  return 'no error';
}

const isReadOnly = ({ attribute, parent }: Place) =>
  attribute.mutability === 'readOnly' || parent?.mutability === 'readOnly';
const create = (place: Place, resource: JsonValue) =>
  validateResource(resource, registry, place.type, 'create');

describe('type', () => {
  test.each(cases((place) => !isReadOnly(place)))(
    'The attribute %s accepts values of its own type and rejects values of every other.',
    (_name, place) => {
      expect(at(place, create(place, holding(place)))).toEqual(fitting(place.attribute));
      const { type, multiValued } = place.attribute;
      const others: JsonValue[] = [
        ...(type === 'string' ? [] : type === 'reference' || type === 'binary' ? ['a b'] : ['text']),
        ...(type === 'boolean' ? [] : [true]),
        ...(type === 'integer' || type === 'decimal' ? [] : [5]),
        ...(type === 'complex' ? [] : [{ value: 'x' }]),
        ['x'],
      ];
      for (const other of others) {
        if (type === 'complex' && Array.isArray(other) && !multiValued) {
          expect(failure(() => create(place, holding(place, other)))).toBe('invalidValue');
        } else if (!(Array.isArray(other) && multiValued && type !== 'complex')) {
          expect(failure(() => create(place, holding(place, multiValued ? [other] : other)))).toBe(
            'invalidValue',
          );
        }
      }
    },
  );
});

describe('mutability', () => {
  test.each(cases(isReadOnly))(
    'The attribute %s is ignored in POST and PUT, and is rejected in PATCH.',
    (_name, place) => {
      expect(at(place, create(place, holding(place)))).toBeUndefined();
      const put = validateResource(holding(place), registry, place.type, 'replace', {
        current: minimal(place.type),
      });
      expect(at(place, put)).toBeUndefined();
      for (const op of ['add', 'replace', 'remove'] as const) {
        const value = op === 'remove' ? {} : { value: fitting(place.attribute) };
        const operations = parseOperations([{ op, path: place.path, ...value }]);
        expect(failure(() => applyPatch(minimal(place.type), operations, registry, place.type))).toBe(
          'mutability',
        );
      }
    },
  );

  test.each(cases((place) => place.attribute.mutability === 'immutable'))(
    'The attribute %s cannot change once it is set.',
    (_name, place) => {
      const before = create(place, holding(place));
      const value = place.attribute.type === 'reference' ? 'https://example.com/B' : 'Group';
      const operations = parseOperations([{ op: 'replace', path: place.path, value }]);
      expect(failure(() => applyPatch(before, operations, registry, place.type))).toBe('mutability');
    },
  );
});

describe('required', () => {
  test.each(cases(({ attribute }) => attribute.required))(
    'A resource without the required %s is rejected.',
    (_name, place) => {
      const { parent, type } = place;
      const other = parent && settable(parent).find((sub) => !sub.required);
      const body: JsonObject = parent
        ? { ...minimal(type), [parent.name]: other ? [{ [other.name]: fitting(other) }] : [] }
        : { schemas: [registry.coreSchema(type).id] };
      expect(failure(() => create(place, body))).toBe('invalidValue');
      if (parent) return;
      const operations = parseOperations([{ op: 'remove', path: place.path }]);
      expect(failure(() => applyPatch(minimal(place.type), operations, registry, place.type))).toBe(
        'invalidValue',
      );
      for (const nothing of [null, '']) {
        expect(failure(() => create(place, { ...minimal(place.type), [place.path]: nothing }))).toBe(
          'invalidValue',
        );
      }
    },
  );
});

describe('returned', () => {
  /** Returns a resource of the server with a value at every place. */
  const whole = (type: string): Resource => {
    const resource = minimal(type);
    for (const { attribute, parent, extension, type: of } of places) {
      if (of !== type || parent || attribute.name === 'schemas') continue;
      const owner = extension === undefined ? resource : { ...(resource[extension] as JsonObject) };
      owner[attribute.name] = fitting({ ...attribute, mutability: 'readOnly' });
      if (extension !== undefined) resource[extension] = owner;
    }
    return resource;
  };

  test.each(cases(() => true))(
    'The attribute %s is returned as its returned characteristic requires.',
    (_name, place) => {
      const { attribute, path, type } = place;
      const resource = whole(type);
      const never = attribute.returned === 'never';
      const always = attribute.returned === 'always';
      const seen = (parameters: object) =>
        at(place, project(resource, parameters, registry, type)) !== undefined;
      expect(seen({})).toBe(!never);
      expect(seen({ attributes: [path] })).toBe(!never);
      expect(seen({ attributes: [type === 'User' ? 'nickName' : 'externalId'] })).toBe(
        always || path === 'nickName' || (type === 'Group' && path === 'externalId'),
      );
      expect(seen({ excludedAttributes: [path] })).toBe(always);
    },
  );

  test('An attribute that is never returned is used neither for comparison nor for sorting.', () => {
    expect(failure(() => bindFilter(parseFilter('password eq "x"'), registry, 'User'))).toBe('invalidFilter');
  });
});

describe('caseExact', () => {
  const texts = cases(
    ({ attribute, parent }) =>
      (attribute.type === 'string' || attribute.type === 'reference' || attribute.type === 'binary') &&
      attribute.returned !== 'never' &&
      parent?.returned !== 'never',
  );
  test.each(texts)(
    'The attribute %s is compared as its caseExact characteristic requires.',
    (_name, place) => {
      const value = String(fitting(place.attribute));
      const resource = holding(place);
      const matches = (text: string) =>
        evaluate(
          bindFilter(parseFilter(`${place.path} eq ${JSON.stringify(text)}`), registry, place.type),
          resource,
        );
      expect(matches(value)).toBe(true);
      const other = value === value.toUpperCase() ? value.toLowerCase() : value.toUpperCase();
      expect(matches(other)).toBe(!place.attribute.caseExact);
    },
  );
});

describe('canonicalValues', () => {
  test.each(cases((place) => place.attribute.canonicalValues !== undefined && !isReadOnly(place)))(
    'The attribute %s is stored in canonical spelling from any case, and other values are accepted.',
    (_name, place) => {
      for (const canonical of place.attribute.canonicalValues ?? []) {
        expect(at(place, create(place, holding(place, canonical.toUpperCase())))).toBe(canonical);
      }
      expect(at(place, create(place, holding(place, 'something else')))).toBe('something else');
    },
  );
});

describe('blank texts', () => {
  const textTypes = ['string', 'reference', 'binary', 'dateTime'];
  const texts = cases((place) => textTypes.includes(place.attribute.type) && !isReadOnly(place));
  const blanks = ['', '   ', '\t\n', '\u00a0'];

  test.each(texts)(
    'The attribute %s is not stored when it is blank, and is rejected when it is required.',
    (_, place) => {
      const { multiValued, required } = place.attribute;
      for (const blank of blanks) {
        const body = holding(place, multiValued ? [blank] : blank);
        if (required) expect(failure(() => create(place, body))).toBe('invalidValue');
        else expect(at(place, create(place, body))).toBeUndefined();
      }
    },
  );

  const patchable = texts.filter(
    ([, { attribute, parent, path }]) =>
      attribute.mutability !== 'immutable' && parent?.multiValued !== true && path !== 'id',
  );
  test.each(patchable)(
    'A PATCH that replaces the attribute %s with a blank text removes it, or is rejected when it is required.',
    (_, place) => {
      const stored = create(place, holding(place));
      for (const value of blanks) {
        const operations = parseOperations([{ op: 'replace', path: place.path, value }]);
        const patched = () => applyPatch(stored, operations, registry, place.type).resource;
        if (place.attribute.required) expect(failure(patched)).toBe('invalidValue');
        else expect(at(place, patched())).toBeUndefined();
      }
    },
  );

  test.each(texts.filter(([, { attribute }]) => attribute.returned === 'default'))(
    'The attribute %s is not returned where a blank text is stored.',
    (_, place) => {
      const stored = holding(place, place.attribute.multiValued ? [''] : '');
      expect(at(place, project(stored, {}, registry, place.type))).toBeUndefined();
    },
  );
});

describe('elements of a list', () => {
  const lists = cases(
    ({ attribute, parent }) =>
      attribute.multiValued && attribute.type === 'complex' && !parent && attribute.mutability !== 'readOnly',
  );

  test.each(lists)('An element of %s without a value is not stored and not returned.', (_, place) => {
    const parts = needed(place.attribute);
    const labels = { type: 'work', display: 'Work', primary: true };
    const body = holding(place, [labels, {}, null, fitting(place.attribute)].flat() as JsonValue);
    if (parts.some(({ required }) => required))
      expect(failure(() => create(place, body))).toBe('invalidValue');
    else {
      expect(create(place, body)).toEqual(create(place, holding(place)));
      expect(project(body, {}, registry, place.type)).toEqual(
        project(holding(place), {}, registry, place.type),
      );
    }
  });
});

test('The characteristics that clients rely on are the announced ones (§8.7.1).', () => {
  const of = (type: string, path: string) =>
    places.find((place) => place.type === type && place.path === path)?.attribute;
  expect(of('User', 'userName')).toMatchObject({ required: true, uniqueness: 'server', caseExact: false });
  expect(of('User', 'id')).toMatchObject({
    mutability: 'readOnly',
    returned: 'always',
    uniqueness: 'server',
    caseExact: true,
  });
  expect(of('User', 'externalId')).toMatchObject({ mutability: 'readWrite', caseExact: true });
  expect(of('User', 'password')).toMatchObject({ mutability: 'writeOnly', returned: 'never' });
  expect(of('User', 'groups')).toMatchObject({ mutability: 'readOnly', multiValued: true });
  expect(of('User', 'profileUrl')).toMatchObject({ type: 'reference', referenceTypes: ['external'] });
  expect(of('User', 'photos.value')).toMatchObject({ type: 'reference', referenceTypes: ['external'] });
  expect(of('User', 'x509Certificates.value')).toMatchObject({ type: 'binary', caseExact: true });
  expect(of('Group', 'members.value')).toMatchObject({ mutability: 'immutable' });
  expect(of('Group', 'members.$ref')).toMatchObject({
    mutability: 'immutable',
    referenceTypes: ['User', 'Group'],
  });
  expect(of('Group', 'displayName')).toMatchObject({ required: true });
});
