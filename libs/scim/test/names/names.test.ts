import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  checkShownTexts,
  coreRegistry,
  foldCase,
  groupNameKey,
  keysOfTyped,
  shownTextProblem,
  userMeant,
  userNameKey,
  userNameProblem,
} from '../../src/index.ts';
import type { Attribute } from '../../src/schema/attribute.ts';

const same = (a: string, b: string) => expect([a, userNameKey(a)]).toEqual([a, userNameKey(b)]);

test('Different spellings of the same user name have one key.', () => {
  same('caf\u00e9', 'cafe\u0301');
  same('CAFE\u0301', 'caf\u00e9');
  same('ａｌｉｃｅ', 'Alice');
  same('ｶﾞﾗｽ', 'ガラス');
  same('ΟΔΟΣ', 'οδος');
  same('Anna\u3000Smith', 'anna smith');
});

test('Different user names have different keys.', () => {
  expect(userNameKey('İstanbul')).not.toBe(userNameKey('istanbul'));
  expect(userNameKey('ıstanbul')).not.toBe(userNameKey('istanbul'));
  expect(userNameKey('x ')).not.toBe(userNameKey('x'));
  expect(userNameKey('ali\u200bce')).not.toBe(userNameKey('alice'));
  expect(userNameKey('аlice')).not.toBe(userNameKey('alice'));
});

test.each([
  ['x ', /must not begin or end with a space/],
  [' x', /must not begin or end with a space/],
  ['anna  smith', /consecutive spaces/],
  ['ali\u200bce', /invisible character U\+200B/],
  ['ali\u200dce', /invisible character U\+200D/],
  ['a\u00adb', /invisible character U\+00AD/],
  ['alice\u202egpj', /bidirectional control character U\+202E/],
  ['a\u0007', /control character U\+0007/],
  ['a\tb', /control character U\+0009/],
  ['a\u00a0b', /U\+00A0/],
  ['½', /“½” \(U\+00BD\)/],
  ['שלוםa', /right-to-left/],
  ['', /at least one/],
  ['\ud800', /U\+D800/],
])('The user name %j is rejected.', (userName, why) => {
  expect(userNameProblem(userName)).toMatch(why);
});

test.each([
  "o'neil",
  'a+b@example.com',
  'Anna Smith',
  'Anna Maria Smith',
  'École',
  '中文',
  'שלום',
  'क्षत्रिय',
  'DOM\\user',
  'a/b#c%',
])('The user name %j is accepted.', (userName) => {
  expect(userNameProblem(userName)).toBeUndefined();
});

test('The key of a user name is its own key, and is accepted like the name.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const key = userNameKey(text);
      if (userNameProblem(text) !== undefined) return;
      expect(userNameKey(key)).toBe(key);
      expect(userNameProblem(key)).toBeUndefined();
      same(text.normalize('NFD'), text.normalize('NFC'));
    }),
    { numRuns: 3_000 },
  );
});

test('The key of an ASCII user name is its former lower-case key.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      expect(userNameKey(text)).toBe(foldCase(text));
    }),
  );
});

test('Group names are compared as nicknames.', () => {
  expect(groupNameKey('  Field\u00a0 Sales ')).toBe(groupNameKey('field sales'));
  expect(groupNameKey('ﬁeld')).toBe(groupNameKey('FIELD'));
  expect(groupNameKey('Cafe\u0301')).toBe(groupNameKey('CAFÉ'));
  expect(groupNameKey('Field Sales')).not.toBe(groupNameKey('Fieldsales'));
});

test('A user whose name has the same key as others is found by their exact name.', () => {
  const people = ['caf\u00e9', 'cafe\u0301', 'Ｃafé'];
  const meant = (typed: string) => userMeant(typed, people, (name) => name);
  for (const name of people) expect(meant(name)).toBe(name);
  expect(meant('CAFÉ')).toBe('café');
  expect(meant('CAFE\u0301')).toBe('cafe\u0301');
  expect(meant('ｃａｆé')).toBeUndefined();
  expect(userMeant('ａｌｉｃｅ', ['Alice'], (name) => name)).toBe('Alice');
  expect(userMeant('x ', ['x', 'x '], (name) => name)).toBe('x ');
  expect(userMeant('x ', ['x'], (name) => name)).toBe('x');
  expect(keysOfTyped('X ')).toEqual(['x ', 'x']);
  expect(keysOfTyped('X')).toEqual(['x']);
});

test('A name with visible characters is accepted, and one with disruptive characters is rejected.', () => {
  for (const name of ['Zoë', 'می\u200cخواهم', '👩\u200d👧', 'O’Brien', 'ΑΒΓ', '❤\ufe0f']) {
    expect([name, shownTextProblem(name, 'name')]).toEqual([name, undefined]);
  }
  for (const name of [
    'a\u0000',
    'a\nb',
    'a\u0085',
    'a\u202eb',
    'a\u200f',
    'a\u2066',
    'a\u061c',
    'a\u2028',
    'a\u200bb',
    '\u3164',
    'a\ufeff',
  ]) {
    expect([name, typeof shownTextProblem(name, 'name')]).toEqual([name, 'string']);
    expect([name, typeof shownTextProblem(name, 'identifier')]).toEqual([name, 'string']);
  }
});

/**
 * Text attributes of the RFC's schemas that are neither names nor identifiers. A new attribute belongs here or is
 * `shown`.
 */
const otherTexts = new Set(
  `schemas id meta.resourceType meta.location meta.version profileUrl title userType preferredLanguage locale timezone password
   phoneNumbers.value ims.value photos.value addresses.formatted addresses.streetAddress addresses.locality addresses.region
   addresses.postalCode addresses.country roles.value entitlements.value costCenter organization division department
   manager.value manager.$ref manager.displayName x509Certificates.value
   groups.value groups.$ref groups.display members.value members.$ref members.display`.split(/\s+/),
);

test('Each text attribute of the schemas is classified as a name, an identifier or neither.', () => {
  const texts = (attributes: readonly Attribute[], prefix = ''): [string, Attribute][] =>
    attributes.flatMap((attribute): [string, Attribute][] =>
      attribute.subAttributes === undefined
        ? [[`${prefix}${attribute.name}`, attribute]]
        : texts(attribute.subAttributes, `${prefix}${attribute.name}.`),
    );
  const registry = coreRegistry();
  const all = ['User', 'Group'].flatMap((type) => [
    ...texts(registry.attributes(type)),
    ...registry.extensions(type).flatMap(({ schema }) => texts(schema.attributes)),
  ]);
  const isText = ({ type, canonicalValues }: Attribute) =>
    ['string', 'reference', 'binary'].includes(type) && canonicalValues === undefined;
  for (const [path, attribute] of all) {
    if (!isText(attribute) || /\.type$/.test(path)) continue;
    expect([path, (attribute.shown !== undefined) !== otherTexts.has(path)]).toEqual([path, true]);
    if (attribute.shown === undefined) continue;
    // Rejected with any other attributes, and kept where it already was.
    const resource = resourceWith(path, attribute.isUserName === true ? 'a\u202eb' : 'a\u202eb');
    const type = registry.attributes('Group').includes(attribute) ? 'Group' : 'User';
    expect(() => checkShownTexts(resource, undefined, registry, type)).toThrow(/U\+202E/);
    expect(() => checkShownTexts(resource, resource, registry, type)).not.toThrow();
  }
});

function resourceWith(path: string, text: string) {
  const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
  if (path === 'employeeNumber') return { [enterprise]: { employeeNumber: text } };
  const [name, sub] = path.split('.') as [string, string?];
  return sub === undefined
    ? { [name]: text }
    : { [name]: name === 'name' ? { [sub]: text } : [{ [sub]: text }] };
}
