import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  base64Key,
  databaseEnv,
  EnvironmentError,
  isConfidential,
  latest,
  parseEnv,
  processEnv,
  redisEnv,
  secret,
} from '../../src/index.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'secret-files-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let count = 0;
function file(content: string): string {
  const path = join(folder, `secret-${++count}`);
  writeFileSync(path, content);
  return path;
}

const specs = {
  ...redisEnv,
  CLIENT_SECRET: secret({ desc: 'A secret.' }),
  CLIENT_SECRET_SECOND: secret({ default: undefined, desc: 'Another.' }),
  THE_KEY: base64Key({ default: undefined, desc: 'A key.' }),
};
const given = { REDIS_URL: 'redis://valkey:6379', CLIENT_SECRET: 'a secret of the environment' };

function problemsOf(source: NodeJS.ProcessEnv): readonly string[] {
  try {
    parseEnv(specs, source);
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
}

describe('secrets from files', () => {
  test('A secret is read from the file that its variable names, without the surrounding white space.', () => {
    const key = Buffer.alloc(32, 7);
    const env = parseEnv(specs, {
      REDIS_URL_FILE: file('\n redis://user:from-a-file@valkey:6379\r\n'),
      CLIENT_SECRET_FILE: file('a secret with a blank inside\n'),
      THE_KEY_FILE: file(`${key.toString('base64url')}\n`),
    });
    expect(env.REDIS_URL).toBe('redis://user:from-a-file@valkey:6379');
    expect(env.CLIENT_SECRET).toBe('a secret with a blank inside');
    expect(env.THE_KEY).toEqual(key);
    expect(env.CLIENT_SECRET_SECOND).toBeUndefined();
  });

  test('The content of a file is validated like the variable, and is not repeated in errors.', () => {
    const problems = problemsOf({ ...given, CLIENT_SECRET: '', CLIENT_SECRET_FILE: file('hunter2') });
    expect(problems).toEqual([expect.stringMatching(/^CLIENT_SECRET must be at least 16 characters/)]);
    expect(problems.join()).not.toContain('hunter2');
  });

  test.each([
    [
      'is missing',
      () => join(folder, 'nowhere'),
      /^CLIENT_SECRET_FILE points to a file that cannot be read \(ENOENT\)\.$/,
    ],
    ['is a folder', () => folder, /^CLIENT_SECRET_FILE points to a file that cannot be read \(EISDIR\)\.$/],
    ['is empty', () => file(' \n'), /^CLIENT_SECRET_FILE points to an empty file\.$/],
  ])('The error is one sentence, without the path, when the file %s.', (_what, path, says) => {
    expect(problemsOf({ ...given, CLIENT_SECRET: '', CLIENT_SECRET_FILE: path() })).toEqual([
      expect.stringMatching(says),
    ]);
  });

  test('A variable and its file together are an error, because they are ambiguous.', () => {
    expect(problemsOf({ ...given, CLIENT_SECRET_FILE: file('a secret of a file, long enough') })).toEqual([
      'CLIENT_SECRET and CLIENT_SECRET_FILE are both set: set only one of them.',
    ]);
  });

  test('The file of a second value may be missing from its folder, but not the folder.', () => {
    expect(problemsOf({ ...given, CLIENT_SECRET_SECOND_FILE: join(folder, 'not-now') })).toEqual([]);
    expect(problemsOf({ ...given, CLIENT_SECRET_SECOND_FILE: join(folder, 'not-there', 'it') })).toEqual([
      expect.stringMatching(/^CLIENT_SECRET_SECOND_FILE points to a file that cannot be read/),
    ]);
  });

  test('A second secret must differ from the first.', () => {
    expect(problemsOf({ ...given, CLIENT_SECRET_SECOND: given.CLIENT_SECRET })).toEqual([
      'CLIENT_SECRET_SECOND must differ from CLIENT_SECRET: each secret needs its own value.',
    ]);
  });

  test('Only secrets can be read from files.', () => {
    expect(parseEnv(processEnv, { LOG_LEVEL_FILE: file('debug') }).LOG_LEVEL).toBe('info');
    expect(isConfidential(processEnv.LOG_LEVEL)).toBe(false);
    for (const spec of [databaseEnv.DATABASE_URL, redisEnv.REDIS_URL, specs.THE_KEY, specs.CLIENT_SECRET])
      expect(isConfidential(spec)).toBe(true);
  });

  test('Two variables with the same initial value are each updated from their own file.', () => {
    const [own, others] = [file('a secret that two have'), file('a secret that two have')];
    const { CLIENT_SECRET } = parseEnv(specs, { ...given, CLIENT_SECRET: '', CLIENT_SECRET_FILE: own });
    parseEnv({ OTHER: secret({ desc: 'Of somebody else.' }) }, { OTHER_FILE: others });
    writeFileSync(others, 'what nobody else may be sent');
    expect(latest(CLIENT_SECRET)).toBe('a secret that two have');
  });

  test('A changed file is read on use, unless its content is invalid.', () => {
    const path = file('redis://user:first@valkey:6379');
    const { REDIS_URL } = parseEnv(specs, { ...given, REDIS_URL: '', REDIS_URL_FILE: path });
    writeFileSync(path, 'redis://user:second@valkey:6379\n');
    expect(latest(REDIS_URL)).toBe('redis://user:second@valkey:6379');
    for (const useless of ['', 'no address']) {
      writeFileSync(path, useless);
      expect(latest(REDIS_URL)).toBe('redis://user:second@valkey:6379');
    }
    rmSync(path);
    expect(latest(REDIS_URL)).toBe('redis://user:second@valkey:6379');
    expect(latest('redis://user:of-the-environment@valkey:6379')).toBe(
      'redis://user:of-the-environment@valkey:6379',
    );
  });
});
