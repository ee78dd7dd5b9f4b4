import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

/** Files that compare user names. */
const home = /^libs\/scim\/src\/names\//;
/** Where rows are found by the very name that a key is made of. */
const rekeying = /^services\/(auth|directory)\/src\/([\w-]+\/)*data\/(user-names|resource-writes)\.ts$/;

/** Comparisons of text other than by the key of user names. */
const comparisons =
  /\.(toLowerCase|toUpperCase|toLocaleLowerCase|toLocaleUpperCase|normalize|localeCompare)\(|\bfoldCase\(|\b(lower|upper|unaccent)\(|\bILIKE\b|\bcitext\b/i;
const userName = /[uU]serName|user_name/;
/** SQL that compares the name instead of `user_name_key`. */
const comparedInSql = /\buser_name\s*(=(?!=)|<>|!=|~|LIKE|IN\b|= ANY)/i;

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && /\.(ts|sql)$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => !file.includes('/generated/') && !file.endsWith('.test.ts'));
}

/** Checks each line together with the next one, because a call and its argument may be on two lines. */
function offences(file: string, text: string): string[] {
  const lines = text.split('\n').filter((line) => !/^\s*(\/\/|\*|\/\*|--)/.test(line));
  return lines.flatMap((line, index) => {
    const both = `${line} ${lines[index + 1] ?? ''}`;
    const compared = comparisons.test(line) && userName.test(both.replaceAll('userNameKey', ''));
    // An assignment in an UPDATE is not a comparison.
    const inSql =
      comparedInSql.test(line) && !/\bSET\b|^\s*user_name = \$|excluded\./.test(line) && !rekeying.test(file);
    return compared || inSql ? [`${file}: ${line.trim()}`] : [];
  });
}

test('User names are compared by their key only.', async () => {
  const projects = ['auth', 'directory', 'provisioning'].map((name) => `services/${name}`);
  const libs = (await readdir(join(root, 'libs'))).map((name) => `libs/${name}`);
  const files = (
    await Promise.all([...projects, ...libs, 'gateway'].map((project) => sources(`${project}/src`)))
  ).flat();
  expect(files.length).toBeGreaterThan(300);
  const found: string[] = [];
  for (const file of files) {
    if (!home.test(file)) found.push(...offences(file, await readFile(join(root, file), 'utf8')));
  }
  expect(found).toEqual([]);
});

test('The search for such comparisons finds them.', () => {
  const bad = [
    'const key = userName.toLowerCase();',
    "const same = a.userName.normalize('NFC') === b;",
    'WHERE lower(u.user_name) = $2',
    'WHERE u.user_name = $2 AND u.active',
    'WHERE user_name ILIKE $1',
    'people.sort((a, b) =>\n  a.userName.localeCompare(b.userName))',
  ];
  for (const line of bad)
    expect([line, offences('services/x.ts', line)]).toEqual([line, [expect.any(String)]]);
  for (const line of ['WHERE user_name_key = $2', 'userNameKey(userName)', 'UPDATE x SET user_name = $3']) {
    expect([line, offences('services/x.ts', line)]).toEqual([line, []]);
  }
});
