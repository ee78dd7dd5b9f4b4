import { expect } from '@jest/globals';
import { service } from './one-client.ts';
import { tenant } from './service.ts';

export const chosen = 'quiet rivers run under stone';

export const invitationPath = `/t/${tenant}/invitation`;

export const invite = (subject: string, o: Record<string, unknown> = {}) =>
  service.internal('POST', `/tenants/${tenant}/invitations`, { subject, ...o });

export async function linkFor(subject: string, o: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await invite(subject, o);
  expect(status).toBe(201);
  const { pathname, search } = new URL(String(body.url));
  return pathname + search;
}
