import { beforeAll, describe, expect, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { runningDemo } from '../support/demo.ts';
import { models } from './doors.ts';
import { inParallel } from './matrix.ts';
import { type Obtain, scopesIn, ways } from './ways.ts';
import { type Actor, createWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld(runningDemo());
});

const scopes = Object.keys(apiScopes);

const held = (actor: Actor): Set<string> => new Set(actor.token ? scopesIn(actor.token) : []);

/** Mutations that confer rights over another user but no credential. The matrix tests them with each role. */
const elsewhere: readonly string[] = [
  'addGroupMembers',
  'assignApiRole',
  'assignGroupApiRole',
  'assignGroupRole',
  'assignRole',
  'bindIssuerSubject',
  'createTrustedIssuer',
  'createWebhook',
  'inviteUser',
  'reactivateUser',
  'removeAuthenticatorApp',
  'removePasskey',
  'resetUserAccess',
  'restoreGroup',
  'restoreUser',
  'registerApi',
  'rotateWebhookSecret',
  'transferConnector',
  'transferCredential',
  'updateApi',
  'updateClientDocumentPolicy',
  'updateUser',
  'updateWebhook',
];

test('Every mutation that confers something is tested here or is listed as tested elsewhere.', () => {
  const conferring = [...(models.gateway.objects.get('Mutation')?.fields ?? [])]
    .filter(
      ([, { confers = '' }]) =>
        confers.replace(', recent sign-in', '') !== '' && !confers.startsWith('nothing'),
    )
    .map(([name]) => name);
  expect([...Object.keys(ways), ...elsewhere].sort()).toEqual(conferring.sort());
});

describe('credentials that a caller obtains', () => {
  const wishes: readonly (readonly string[])[] = [
    ['users:read'],
    ['users:read', 'users:write'],
    ['clients:read'],
    scopes,
  ];

  test.each(Object.keys(ways))(
    'A credential that a caller obtains opens nothing that the caller could not open directly: %s.',
    async (name) => {
      const obtain = ways[name] as Obtain;
      const obtained: string[] = [];
      const everybody = world.actors.filter(
        ({ name: who }) => !who.startsWith('platform') && who !== 'anonymous',
      );
      await inParallel(
        everybody.flatMap((actor) =>
          wishes.map((wanted) => async () => {
            const opened = await obtain(world, actor, wanted);
            if (opened === undefined) return;
            obtained.push(actor.name);
            const own = held(actor);
            const beyond = opened.filter((scope) => Object.hasOwn(apiScopes, scope) && !own.has(scope));
            expect({ who: actor.name, wanted, beyond }).toEqual({ who: actor.name, wanted, beyond: [] });
          }),
        ),
        4,
      );
      // The administrator, who signed in recently, obtains it. A client with all scopes obtains it too, except for user
      // credentials.
      expect(obtained).toContain('tenantAdmin');
      if (name !== 'createPersonalAccessToken') expect(obtained).toContain('app:*');
    },
  );
});
