import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { expectCpuBelow } from '../../../../../libs/service/test/support/cpu-time.ts';
import { isGuessable } from '../../../src/identity/sign-in/domain/blocked-passwords.ts';
import { checkNewPassword } from '../../../src/identity/sign-in/domain/new-password.ts';
import { UnfitPassword } from '../../../src/identity/sign-in/domain/staged-passwords.ts';
import { service, setUpRelyingParty, signedIn } from '../../support/sign-in/relying-party.ts';
import { tenant } from '../../support/sign-in/service.ts';

setUpRelyingParty();

/** On every list, or a common variation of such a password. */
const blocked = [
  'password1234',
  'Passw0rd2026!',
  'P@ssword123456',
  'passwordpassword',
  'qwertyuiop12',
  '1qaz2wsx3edc4rfv',
  'iloveyou2024!',
  'football123456789',
  'monkey dragon',
  '123456789012',
  'abcdefghijkl',
  'abcabcabcabc',
  'aaaaaaaaaaaaaaaa',
  'ｐａｓｓｗｏｒｄ1234',
];
const fine = [
  'a long and private sentence',
  'correct horse battery staple',
  'kq0w9e8r7t6y',
  'Drei Äpfel am Bach',
];

test.each(blocked)('The password %j is rejected as guessable.', (password) =>
  expect(isGuessable(password, [])).toBe(true),
);
test.each(fine)('The password %j is accepted as not guessable.', (password) =>
  expect(isGuessable(password, ['acme', 'alice@example.com'])).toBe(false),
);

describe('words of the user and the tenant', () => {
  const words = ['alice@example.com', 'Alice Adams', 'Acme', 'Spitzweg'];
  test.each(['alice-adams-1', 'Acme-example-42', 'spitzweg 2026!', 'ACMEpassword12', 'alicealicealice'])(
    'A password made of words of the user and the tenant is rejected in any spelling: %j.',
    (password) => expect(isGuessable(password, words)).toBe(true),
  );
  test('A password may contain words of the user and the tenant if it is long enough without them.', () => {
    expect(isGuessable('acme has three brown cows', words)).toBe(false);
  });
});

test('The check of a password takes almost no time, however long the password is.', () =>
  expectCpuBelow(250, (attempt) => {
    for (let round = 0; round < 100; round += 1) {
      for (const part of ['x9', 'password', 'ab1']) {
        const end = `${attempt}.${round}`;
        isGuessable(`${part.repeat(512).slice(0, 1_024 - end.length)}${end}`, ['ab']);
      }
    }
  }));

describe('every source of passwords', () => {
  test('Only a password that was checked is hashed, and only the listed files call the hasher.', () => {
    const root = new URL('../../../src/', import.meta.url);
    const calling = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && /\bpasswords\.hash\(/.test(readFileSync(new URL(file, root), 'utf8')),
    );
    expect(calling.toSorted()).toEqual([
      'identity/account/account.ts',
      'identity/account/http/invitation.ts',
      'identity/sign-in/domain/staged-passwords.ts',
    ]);
    // Only `checkNewPassword` returns the type that is hashed.
    const making = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) =>
        file.endsWith('.ts') && /as AcceptablePassword/.test(readFileSync(new URL(file, root), 'utf8')),
    );
    expect(making).toEqual(['identity/sign-in/domain/new-password.ts']);
  });

  test('Every way to set a password takes the minimum length from the same setting.', () => {
    const root = new URL('../../../src/', import.meta.url);
    const lengths = readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) =>
        [...readFileSync(new URL(file, root), 'utf8').matchAll(/\bminLength(?::| =) ([\w.]+)/g)].map(
          ([, said = '']) => said,
        ),
      );
    const settings = ['env.PASSWORD_MIN_LENGTH', 'deps.env.PASSWORD_MIN_LENGTH', 'o.minLength', 'number'];
    expect(lengths.filter((said) => !settings.includes(said))).toEqual([]);
    expect(lengths.length).toBeGreaterThan(5);
  });

  test('The account page checks a new password.', async () => {
    const person = await service.person('picky');
    const browser = await signedIn({ person });
    const page = await browser.get(`/t/${tenant}/account/password`);
    for (const next of ['password2026!!', `${tenant}-${tenant}-1`, 'picky picky 12']) {
      const answer = await browser.submit(page, {
        password: '',
        new_password: next,
        new_password_again: next,
      });
      expect([next, answer.status]).toEqual([next, 400]);
    }
  });

  test('A password from an identity source is checked, before the user exists and afterwards.', async () => {
    const { stagedPasswords } = service.deps;
    const person = await service.person('provisioned');
    const nobody = '01999999-0000-7000-8000-000000000001';
    const stage = (id: string, password: string, names: string[] = []) =>
      stagedPasswords.stage(tenant, id, password, { carriedRoles: null, names });
    await expect(stage(nobody, 'Password123!')).rejects.toBeInstanceOf(UnfitPassword);
    await expect(stage(nobody, 'zoe.miller-1', ['zoe.miller@example.com'])).rejects.toBeInstanceOf(
      UnfitPassword,
    );
    // The minimum length is the same for every source, and the response contains it.
    const short = { status: 400, body: { message: expect.stringContaining('at least 12 characters') } };
    for (const subject of [nobody, person.id]) {
      const sent = { subject, password: 'kqz-7-orbit' };
      const answer = await service.internal('POST', `/tenants/${tenant}/credentials`, sent, 'provisioning');
      expect(answer).toMatchObject(short);
    }
    await expect(stage(person.id, 'provisioned-1')).rejects.toBeInstanceOf(UnfitPassword);
    await expect(stage(person.id, 'three brown cows at noon')).resolves.toMatch(/^[0-9a-f-]{36}$/);
  });

  test('Invitations and recovery check new passwords.', () => {
    const o = {
      password: 'Password-2026',
      repeated: 'Password-2026',
      minLength: 12,
      names: [],
      tenantWords: [],
    };
    expect(checkNewPassword(o)).toEqual({ fault: 'guessable' });
  });
});
