import { describe, expect, test } from '@jest/globals';
import { readPollRequest, receiverError } from '../../../src/signals/domain/poll-request.ts';
import {
  checkTransmitterSupplied,
  configurationOf,
  readChange,
  readConfiguration,
  readState,
  readStatus,
  type Stream,
} from '../../../src/signals/domain/stream-configuration.ts';
import { meantSubject } from '../../../src/signals/domain/subjects.ts';

const issuer = 'https://idp.example.com/t/demo';
const id = '0195f3a0-0000-7000-8000-000000000001';
const strict = { allowPrivate: false, allowHttp: false };
const push = { method: 'urn:ietf:rfc:8935', endpoint_url: 'https://receiver.example.com/events' };

describe('a stream configuration', () => {
  test('An empty stream configuration means poll delivery without events (SSF 1.0 §8.1.1.1).', () => {
    expect(readConfiguration({}, strict)).toEqual({
      delivery: { method: 'urn:ietf:rfc:8936' },
      eventsRequested: [],
      description: undefined,
      format: 'iss_sub',
    });
  });

  test('A change of a stream configuration contains only the members that it names.', () => {
    expect(readChange({ stream_id: 's', description: 'B' }, strict)).toEqual({ description: 'B' });
    expect(readChange({ delivery: push }, strict)).toEqual({
      delivery: { method: push.method, endpointUrl: push.endpoint_url, authorizationHeader: undefined },
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['an unknown method', { delivery: { method: 'urn:ietf:rfc:9999' } }],
    ['no method', { delivery: { endpoint_url: push.endpoint_url } }],
    ['a delivery that is no object', { delivery: 'push' }],
    ['push without an address', { delivery: { method: push.method } }],
    ['push to plain http', { delivery: { ...push, endpoint_url: 'http://receiver.example.com/events' } }],
    ['push into a private network', { delivery: { ...push, endpoint_url: 'https://10.0.0.1/events' } }],
    ['push to this machine', { delivery: { ...push, endpoint_url: 'https://[::1]/events' } }],
    [
      'push to an address with credentials',
      { delivery: { ...push, endpoint_url: 'https://a:b@r.example/' } },
    ],
    ['a header with a line break', { delivery: { ...push, authorization_header: 'Bearer a\r\nX: y' } }],
    ['a header that is no text', { delivery: { ...push, authorization_header: 7 } }],
    ['a header that is too long', { delivery: { ...push, authorization_header: 'x'.repeat(5_000) } }],
    ['a header for polling', { delivery: { method: 'urn:ietf:rfc:8936', authorization_header: 'Bearer a' } }],
    ['events that are no list', { events_requested: 'all' }],
    ['an event that is no text', { events_requested: [7] }],
    ['too many events', { events_requested: Array.from({ length: 101 }, (_, n) => `urn:x:${n}`) }],
    ['a description that is no text', { description: {} }],
    ['an unknown format', { format: 'phone_number' }],
  ])('A stream configuration with %s is rejected.', (_what, body) => {
    expect(() => readConfiguration(body, strict)).toThrow();
    expect(() => readChange(body, strict)).toThrow();
  });

  test('A stream configuration keeps requested events that are not supported, and delivers the rest.', () => {
    const requested = ['urn:example:unknown', 'urn:ietf:params:scim:event:prov:delete'];
    const { eventsRequested } = readConfiguration({ events_requested: [...requested, ...requested] }, strict);
    expect(eventsRequested).toEqual(requested);
    expect(configurationOf(stream({ eventsRequested }), issuer)).toMatchObject({
      events_requested: requested,
      events_delivered: ['urn:ietf:params:scim:event:prov:delete'],
    });
  });

  test('A stream configuration with a long description keeps its beginning.', () => {
    expect(readConfiguration({ description: 'é'.repeat(900) }, strict).description).toHaveLength(500);
  });
});

const stream = (fields: Partial<Stream> = {}): Stream => ({
  id: 's-1',
  version: 1,
  tenant: 'demo',
  clientId: 'c-1',
  status: 'enabled',
  reason: undefined,
  method: 'urn:ietf:rfc:8936',
  endpointUrl: undefined,
  eventsRequested: [],
  description: undefined,
  format: 'iss_sub',
  failingSince: null,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...fields,
});

describe('transmitter-supplied values', () => {
  const current = configurationOf(stream(), issuer);

  test('Transmitter-supplied values may be repeated unchanged, with lists in any order.', () => {
    const shuffled = (current.events_supported as string[]).toReversed();
    expect(() => checkTransmitterSupplied({ ...current, events_supported: shuffled }, current)).not.toThrow();
  });

  test.each([
    ['iss', 'https://other.example'],
    ['aud', ['c-1', 'c-2']],
    ['events_delivered', ['urn:x']],
    ['events_supported', []],
    ['min_verification_interval', 1],
  ])('The transmitter-supplied value cannot be changed: %s.', (name, value) => {
    expect(() => checkTransmitterSupplied({ [name]: value }, current)).toThrow(name);
  });
});

test('A status is enabled, paused or disabled, and may have a reason.', () => {
  expect(readStatus({ status: 'paused', reason: 'Upgrade' })).toEqual({
    status: 'paused',
    reason: 'Upgrade',
  });
  expect(readStatus({ status: 'enabled' })).toEqual({ status: 'enabled', reason: undefined });
  for (const status of ['deleted', 'Enabled', undefined, 1]) expect(() => readStatus({ status })).toThrow();
  expect(() => readStatus({ status: 'paused', reason: 7 })).toThrow();
});

test('A state is a string of limited length.', () => {
  expect([readState(undefined), readState('')]).toEqual([undefined, '']);
  expect(() => readState(7)).toThrow();
  expect(() => readState('x'.repeat(1_025))).toThrow();
});

describe('subjects of requests', () => {
  const meant = (subject: unknown) => meantSubject(subject, { issuer, tenant: 'demo' });
  const user = { kind: 'user', id };

  test.each<[string, unknown, unknown]>([
    ['by issuer and id', { format: 'iss_sub', iss: issuer, sub: id }, user],
    ['by id alone', { format: 'opaque', id: id.toUpperCase() }, user],
    [
      'by address',
      { format: 'email', email: 'Jane@example.com' },
      { kind: 'user', email: 'Jane@example.com' },
    ],
    ['by SCIM path', { format: 'scim', uri: `/Users/${id}` }, user],
    ['by SCIM address', { format: 'scim', uri: `${issuer}/scim/v2/Groups/${id}` }, { kind: 'group', id }],
    ['as part of a complex one', { format: 'complex', user: { format: 'opaque', id } }, user],
    [
      'with their tenant',
      { format: 'complex', user: { format: 'opaque', id }, tenant: { format: 'opaque', id: 'demo' } },
      user,
    ],
    [
      'of another tenant is nobody',
      { format: 'complex', user: { format: 'opaque', id }, tenant: { format: 'opaque', id: 'rival' } },
      undefined,
    ],
    ['of another issuer is nobody', { format: 'iss_sub', iss: 'https://other.example', sub: id }, undefined],
    ['with an id that can’t be ours is nobody', { format: 'opaque', id: 'x' }, undefined],
    ['with another path is nobody', { format: 'scim', uri: '/Devices/1' }, undefined],
  ])('A subject is resolved as specified: %s.', (_how, subject, expected) => {
    expect(meant(subject)).toEqual(expected);
  });

  test.each<[string, unknown]>([
    ['no object', 'x'],
    ['a list', []],
    ['missing', undefined],
    ['without a format', { email: 'a@b.example' }],
    ['of an unknown format', { format: 'phone_number', phone_number: '+12065550100' }],
    ['of a format named like a method', { format: 'toString' }],
    ['with a member missing', { format: 'iss_sub', iss: issuer }],
    ['with a member too many', { format: 'opaque', id, email: 'a@b.example' }],
    ['with a member that is no text', { format: 'opaque', id: 7 }],
    ['complex without a user', { format: 'complex', tenant: { format: 'opaque', id: 'demo' } }],
    [
      'complex with a session',
      { format: 'complex', user: { format: 'opaque', id }, session: { format: 'opaque', id: 's' } },
    ],
  ])('A malformed subject is rejected: %s.', (_what, subject) => {
    expect(() => meant(subject)).toThrow();
  });
});

describe('a poll request (RFC 8936 §2.2)', () => {
  test('An empty poll request returns the available events, and may wait (RFC 8936 §2.2).', () => {
    expect(readPollRequest({})).toEqual({ maxEvents: 100, returnImmediately: false, ack: [], errors: [] });
  });

  test('A poll request acknowledges each event once, ignores ids that cannot exist, and carries errors.', () => {
    expect(
      readPollRequest({
        maxEvents: 1_000,
        returnImmediately: true,
        ack: [id, id, 'x'],
        setErrs: { [id]: { err: 'invalid_key', description: 'Unknown\nkid' }, x: { err: 'y' } },
      }),
    ).toEqual({
      maxEvents: 100,
      returnImmediately: true,
      ack: [id],
      errors: [{ jti: id, reason: 'invalid_key: Unknown kid' }],
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['a negative number', { maxEvents: -1 }],
    ['a fraction', { maxEvents: 1.5 }],
    ['a number as text', { maxEvents: '10' }],
    ['a flag as text', { returnImmediately: 'true' }],
    ['acknowledgements that are no list', { ack: id }],
    ['acknowledgements that are no text', { ack: [7] }],
    ['too many acknowledgements', { ack: Array.from({ length: 1_001 }, () => id) }],
    ['errors that are a list', { setErrs: [] }],
    ['an error without a code', { setErrs: { [id]: { description: 'x' } } }],
    ['an error that is null', { setErrs: { [id]: null } }],
  ])('A poll request with %s is rejected.', (_what, body) => {
    expect(() => readPollRequest(body)).toThrow();
  });

  test('The error that a receiver reports is shortened and contains no line breaks.', () => {
    expect(receiverError({ err: 'invalid_request', description: 'x'.repeat(900) })).toHaveLength(500);
    expect(receiverError({ err: 'access_denied' })).toBe('access_denied');
    expect([receiverError(null), receiverError('x'), receiverError({ err: 7 })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
