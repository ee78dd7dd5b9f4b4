import { argon2, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { PasswordHasher } from '../../../src/identity/sign-in/domain/password.ts';
import {
  costPresets,
  costText,
  type PasswordCost,
  passwordCost,
} from '../../../src/identity/sign-in/domain/password-cost.ts';
import { acceptable } from '../../support/sign-in/acceptable.ts';

const derive = promisify(argon2);

/** More lanes and another tag length than in the presets. */
const costs: readonly PasswordCost[] = [...costPresets, passwordCost('m=19456,t=3,p=4')];

const base64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');

/** Returns the hash that Node.js computes with OpenSSL. */
async function byOpenSsl(password: string, cost: PasswordCost, salt: Buffer, tagLength: number) {
  const message = Buffer.from(password, 'utf8');
  const tag = await derive('argon2id', { message, nonce: salt, tagLength, ...cost });
  return `$argon2id$v=19$${costText(cost)}$${base64(salt)}$${base64(tag)}`;
}

describe.each(costs.map((cost) => ({ cost, text: costText(cost) })))('argon2id with $text', ({ cost }) => {
  const hasher = new PasswordHasher({ concurrency: 2, cost });

  test.each([32, 16, 64])(
    'A hash of another implementation, with a tag of %d bytes, is verified, and another password is rejected.',
    async (tagLength) => {
      const stored = await byOpenSsl('pässword of old', cost, randomBytes(16), tagLength);
      expect(await hasher.verify('pässword of old', stored)).toBe(true);
      expect(await hasher.verify('passwort of old', stored)).toBe(false);
      expect(await hasher.rehash('pässword of old', stored)).toBeUndefined();
    },
  );

  test('A hash of this implementation equals that of another one for the same password and salt.', async () => {
    const made = await hasher.hash(acceptable('correct horse'));
    const [salt = '', tag = ''] = made.split('$').slice(-2);
    expect(Buffer.from(tag, 'base64')).toHaveLength(32);
    expect(await byOpenSsl('correct horse', cost, Buffer.from(salt, 'base64'), 32)).toBe(made);
  });
});
