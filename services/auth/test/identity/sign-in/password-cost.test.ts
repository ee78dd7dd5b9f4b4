import { describe, expect, test } from '@jest/globals';
import { EnvironmentError, parseEnv } from '@ostiary/service';
import { env } from '../../../src/env.ts';
import { PasswordHasher } from '../../../src/identity/sign-in/domain/password.ts';
import {
  costPresets,
  costText,
  defaultCost,
  passwordCost,
} from '../../../src/identity/sign-in/domain/password-cost.ts';
import { acceptable } from '../../support/sign-in/acceptable.ts';

const specification = { PASSWORD_HASH_COST: env.PASSWORD_HASH_COST };
const parsed = (text?: string) =>
  parseEnv(specification, text === undefined ? {} : { PASSWORD_HASH_COST: text });

describe('PASSWORD_HASH_COST', () => {
  test('The cost of a hash is 19 MiB, two passes and one lane unless it is configured.', () => {
    expect(parsed().PASSWORD_HASH_COST).toBe(defaultCost);
    expect(passwordCost(defaultCost)).toEqual({ memory: 19_456, passes: 2, parallelism: 1 });
  });

  test.each(costPresets.map(costText))("The cost may be OWASP's %s.", (text) => {
    expect(parsed(text).PASSWORD_HASH_COST).toBe(text);
    expect(costText(passwordCost(text))).toBe(text);
  });

  test.each(['m=65536,t=3,p=4', 'm=7168,t=6,p=1', 'm=1048576,t=1,p=1'])(
    'The cost may be more than OWASP asks for: %s.',
    (text) => {
      expect(parsed(text).PASSWORD_HASH_COST).toBe(text);
    },
  );

  test.each(costPresets.map((preset) => costText({ ...preset, memory: preset.memory - 1 })))(
    'The process does not start with a cost weaker than OWASP allows: %s.',
    (text) => {
      expect(() => parsed(text)).toThrow(EnvironmentError);
      expect(() => parsed(text)).toThrow(/PASSWORD_HASH_COST is malformed.*must be at least as strong/);
      expect(() => passwordCost(text)).toThrow('weaker than OWASP allows');
    },
  );

  test.each([
    'm=8,t=1,p=1',
    'm=19456',
    'm=19456,t=2',
    'm=19456,t=0,p=1',
    'm=19456,t=2,p=0',
    't=2,m=19456,p=1',
    ' m=19456,t=2,p=1',
    '19456',
    'm=1048577,t=1,p=1',
    'm=47104,t=65,p=1',
    'm=47104,t=1,p=17',
  ])('The process does not start with the cost %j.', (text) => {
    expect(() => parsed(text)).toThrow(/PASSWORD_HASH_COST/);
  });
});

describe('hashes with other parameters', () => {
  const former = passwordCost('m=12288,t=3,p=1');
  const present = passwordCost('m=7168,t=5,p=1');

  test('A hash is verified with its own parameters and replaced by one with the configured parameters.', async () => {
    const stored = await new PasswordHasher({ concurrency: 1, cost: former }).hash(acceptable('secret'));
    const hasher = new PasswordHasher({ concurrency: 1, cost: present });
    expect(await hasher.verify('secret', stored)).toBe(true);
    const anew = await hasher.rehash('secret', stored);
    expect(anew).toContain('$m=7168,t=5,p=1$');
    expect(await hasher.verify('secret', anew)).toBe(true);
    expect(await hasher.rehash('secret', anew ?? '')).toBeUndefined();
  });

  test('A rejection computes the same hashes for a former hash, a current one, and none.', async () => {
    const [old, today] = await Promise.all(
      [former, present].map((cost) =>
        new PasswordHasher({ concurrency: 1, cost }).hash(acceptable('secret')),
      ),
    );
    const computed: string[] = [];
    const hasher = new PasswordHasher({
      concurrency: 1,
      cost: present,
      onComputation: (cost) => computed.push(costText(cost)),
    });
    const computations = async (phc: string | undefined) => {
      computed.length = 0;
      expect(await hasher.verify('wrong', phc)).toBe(false);
      return [...computed].sort();
    };
    // The first hash with other parameters makes them known.
    await computations(old);
    const both = [costText(former), costText(present)].sort();
    for (const phc of [old, today, undefined, '$argon2id$broken'])
      expect(await computations(phc)).toEqual(both);
    // A correct password needs only one computation.
    computed.length = 0;
    expect(await hasher.verify('secret', today)).toBe(true);
    expect(computed).toEqual([costText(present)]);
  });
});

describe('the queue', () => {
  test('Passwords are hashed in the order of the calls.', async () => {
    const hasher = new PasswordHasher({ concurrency: 1, cost: passwordCost(defaultCost) });
    const ended: number[] = [];
    await Promise.all(
      Array.from({ length: 12 }, async (_, place) => {
        await hasher.hash(acceptable('secret'));
        ended.push(place);
      }),
    );
    expect(ended).toEqual(ended.toSorted((one, other) => one - other));
  });
});
