import { describe, expect, test } from '@jest/globals';
import { eventsSupported, eventType, variantsOf } from '../../../src/signals/domain/event-types.ts';
import {
  type EventContent,
  eventOf,
  type PublishedFact,
  streamUpdatedEvent,
  verificationEvent,
} from '../../../src/signals/domain/events.ts';
import { securityEventClaims } from '../../../src/signals/domain/security-event-token.ts';

const issuer = 'https://idp.example.com/t/demo';
const userId = '0195f3a0-0000-7000-8000-000000000001';
const to = { tenant: 'demo', issuer, format: 'iss_sub' as const, email: undefined };

const fact = (type: string, data: Record<string, unknown> = {}, kind = 'user'): PublishedFact => ({
  type,
  subject: { kind, id: userId },
  version: '7',
  occurredAt: new Date(1_615_304_991_000),
  data,
});

const envelope = {
  issuer,
  audience: 'client-1',
  jti: '24c63fb56e5a2d77a6b512616ca9fa24',
  issuedAt: new Date(1_615_305_159_000),
  txn: '8675309',
};

const claims = (event: EventContent | undefined) => event && securityEventClaims(event, envelope);

const frame = { iss: issuer, jti: envelope.jti, iat: 1_615_305_159, aud: 'client-1', txn: '8675309' };
const person = { format: 'iss_sub', iss: issuer, sub: userId };

describe('session revoked (CAEP 1.0 §3.1)', () => {
  test('A session-revoked event of one session has a complex subject (session, user, tenant), an actor, a reason and a time.', () => {
    const revoked = fact('session.revoked', {
      sessionId: 's-1',
      reason: 'Policy Violation: C076E82F',
      initiatingEntity: 'policy',
    });
    expect(claims(eventOf(eventType.sessionRevoked, revoked, to))).toEqual({
      ...frame,
      sub_id: {
        format: 'complex',
        session: { format: 'opaque', id: 's-1' },
        user: person,
        tenant: { format: 'opaque', id: 'demo' },
      },
      events: {
        'https://schemas.openid.net/secevent/caep/event-type/session-revoked': {
          initiating_entity: 'policy',
          reason_admin: { en: 'Policy Violation: C076E82F' },
          event_timestamp: 1_615_304_991,
        },
      },
    });
  });

  test('A session-revoked event of all sessions has the user alone as its subject.', () => {
    const event = eventOf(eventType.sessionRevoked, fact('session.revoked', { reason: 'departure' }), to);
    expect(event?.subId).toEqual(person);
  });

  test('A session-revoked event has a reason even when the fact has none (CAEP Interoperability Profile 1.0 §3.1).', () => {
    const event = eventOf(eventType.sessionRevoked, fact('session.revoked'), to);
    expect(event?.payload).toEqual({
      event_timestamp: 1_615_304_991,
      reason_admin: { en: 'The session was ended.' },
    });
  });
});

test('A credential-change event (CAEP 1.0 §3.3) names the type of credential, the type of change, and its name.', () => {
  const changed = fact('credential.changed', {
    credentialType: 'fido2-roaming',
    changeType: 'create',
    friendlyName: "Jane's USB authenticator",
    initiatingEntity: 'user',
    reason: 'User self-enrollment',
  });
  expect(claims(eventOf(eventType.credentialChange, changed, to))).toEqual({
    ...frame,
    sub_id: person,
    events: {
      'https://schemas.openid.net/secevent/caep/event-type/credential-change': {
        credential_type: 'fido2-roaming',
        change_type: 'create',
        friendly_name: "Jane's USB authenticator",
        initiating_entity: 'user',
        reason_admin: { en: 'User self-enrollment' },
        event_timestamp: 1_615_304_991,
      },
    },
  });
});

describe('RISC 1.0', () => {
  const risc = 'https://schemas.openid.net/secevent/risc/event-type';

  test('An account-disabled event gives only reasons that RISC 1.0 defines.', () => {
    expect(
      claims(eventOf(eventType.accountDisabled, fact('user.deactivated', { reason: 'hijacking' }), to)),
    ).toEqual({
      ...frame,
      sub_id: person,
      events: { [`${risc}/account-disabled`]: { reason: 'hijacking' } },
    });
    expect(
      eventOf(eventType.accountDisabled, fact('user.deactivated', { reason: 'left' }), to)?.payload,
    ).toEqual({});
  });

  test('A deletion that can be restored disables the account, and a permanent one purges it (RISC 1.0).', () => {
    const restorable = fact('user.deleted', { restorableUntil: '2026-12-01T00:00:00Z' });
    expect(eventOf(eventType.accountDisabled, restorable, to)?.payload).toEqual({});
    expect(eventOf(eventType.accountPurged, restorable, to)).toBeUndefined();
    const final = fact('user.deleted');
    expect(eventOf(eventType.accountDisabled, final, to)).toBeUndefined();
    expect(claims(eventOf(eventType.accountPurged, final, to))).toEqual({
      ...frame,
      sub_id: person,
      events: { [`${risc}/account-purged`]: {} },
    });
  });

  test('The events account-enabled and credential-compromise follow RISC 1.0.', () => {
    expect(eventOf(eventType.accountEnabled, fact('user.reactivated'), to)?.payload).toEqual({});
    const compromised = fact('credential.compromised', { credentialType: 'password' });
    expect(eventOf(eventType.credentialCompromise, compromised, to)).toEqual({
      subId: person,
      uri: `${risc}/credential-compromise`,
      payload: {
        credential_type: 'password',
        event_timestamp: 1_615_304_991,
        reason_admin: { en: 'A credential was reported as compromised.' },
      },
    });
  });
});

describe('SCIM events (RFC 9967)', () => {
  const urn = 'urn:ietf:params:scim:event:prov';

  test('SCIM events (RFC 9967) name the resource by relative URI and the changed attributes; never the user by e-mail.', () => {
    const updated = fact('user.updated', {
      changedAttributes: ['emails', 'name'],
      externalIds: { okta: 'jdoe' },
    });
    const event = eventOf(eventType.scimPatch, updated, {
      ...to,
      format: 'email',
      email: 'jdoe@example.com',
    });
    expect(claims(event)).toEqual({
      ...frame,
      sub_id: { format: 'scim', uri: `/Users/${userId}`, externalId: 'jdoe' },
      events: { [`${urn}:patch:notice`]: { version: 'W/"7"', attributes: ['emails', 'name'] } },
    });
  });

  test('SCIM events (RFC 9967) omit an external id when sources disagree on it.', () => {
    const updated = fact('user.updated', { externalIds: { okta: 'a', entra: 'b' } });
    expect(eventOf(eventType.scimPatch, updated, to)?.subId).toEqual({
      format: 'scim',
      uri: `/Users/${userId}`,
    });
  });

  test('SCIM events (RFC 9967) report groups like users.', () => {
    const created = fact('group.created', { changedAttributes: ['displayName', 'members'] }, 'group');
    expect(eventOf(eventType.scimCreate, created, to)).toEqual({
      subId: { format: 'scim', uri: `/Groups/${userId}` },
      uri: `${urn}:create:notice`,
      payload: { version: 'W/"7"', attributes: ['displayName', 'members'] },
    });
    expect(eventOf(eventType.scimDelete, fact('group.deleted', {}, 'group'), to)?.payload).toEqual({});
  });

  test('SCIM events (RFC 9967) report other changes of an offboarding, and only if there are any.', () => {
    const left = fact('user.deactivated', { changedAttributes: ['active', 'title'] });
    expect(eventOf(eventType.scimDeactivate, left, to)?.payload).toEqual({ version: 'W/"7"' });
    expect(eventOf(eventType.scimPatch, left, to)?.payload).toMatchObject({ attributes: ['title'] });
    const only = fact('user.deactivated', { changedAttributes: ['active'] });
    expect(eventOf(eventType.scimPatch, only, to)).toBeUndefined();
  });

  test('A restored user is reported as created, neither as activated nor as patched.', () => {
    const restored = fact('user.reactivated', { restored: true, changedAttributes: ['userName', 'active'] });
    expect(eventOf(eventType.scimCreate, restored, to)?.payload).toMatchObject({
      attributes: ['userName', 'active'],
    });
    expect(eventOf(eventType.scimActivate, restored, to)).toBeUndefined();
    expect(eventOf(eventType.scimPatch, restored, to)).toBeUndefined();
    expect(eventOf(eventType.scimCreate, fact('user.reactivated'), to)).toBeUndefined();
  });
});

test('A stream that requests addresses gets them, and the id where there is none (RFC 9493 §3.2.2).', () => {
  const enabled = fact('user.reactivated');
  const asked = { ...to, format: 'email' as const };
  expect(eventOf(eventType.accountEnabled, enabled, { ...asked, email: 'jane@example.com' })?.subId).toEqual({
    format: 'email',
    email: 'jane@example.com',
  });
  expect(eventOf(eventType.accountEnabled, enabled, asked)?.subId).toEqual(person);
});

describe('events about the stream (SSF 1.0 §8.1.4.1, §8.1.5)', () => {
  const subject = { format: 'opaque', id: 'f67e39a0' };

  test('A verification event repeats the state, and has none when none was given.', () => {
    expect(claims(verificationEvent('f67e39a0', 'VGhpcw=='))).toEqual({
      ...frame,
      sub_id: subject,
      events: {
        'https://schemas.openid.net/secevent/ssf/event-type/verification': { state: 'VGhpcw==' },
      },
    });
    expect(verificationEvent('f67e39a0', undefined).payload).toEqual({});
  });

  test('A stream-updated event contains the new status and the reason.', () => {
    expect(
      claims(streamUpdatedEvent('f67e39a0', { status: 'paused', reason: 'Internal error' })),
    ).toMatchObject({
      sub_id: subject,
      events: {
        'https://schemas.openid.net/secevent/ssf/event-type/stream-updated': {
          status: 'paused',
          reason: 'Internal error',
        },
      },
    });
  });
});

describe('the claims of a token', () => {
  test('The claims of a token have neither sub nor exp, for each event (SSF 1.0 §4.1).', () => {
    for (const uri of eventsSupported) {
      const type = Object.keys(variantsOf([uri]))[0] ?? '';
      const token = claims(eventOf(uri, fact(type), to)) ?? {};
      expect(token).not.toHaveProperty('sub');
      expect(token).not.toHaveProperty('exp');
      expect(Object.keys((token.events as object | undefined) ?? {})).toEqual([uri]);
    }
  });

  test('The claims of a token contain the time of the event, if known (RFC 8417 §2.2).', () => {
    const event = verificationEvent('s', undefined);
    expect(securityEventClaims(event, { ...envelope, happenedAt: new Date(1_000) })).toMatchObject({
      toe: 1,
    });
  });
});

test('Every supported event reports some fact, and several events may report the same fact.', () => {
  const variants = variantsOf(eventsSupported);
  expect(new Set(Object.values(variants).flat())).toEqual(new Set(eventsSupported));
  expect(variants['user.deactivated']).toEqual(
    expect.arrayContaining([eventType.accountDisabled, eventType.scimDeactivate]),
  );
  expect(variantsOf([])).toEqual({});
});
