import type { WebhookEventType } from './generated/webhooks.ts';

/** Event types of webhooks, by the scope that permits reading the objects. */
export const eventTypes: Readonly<Record<'users' | 'groups' | 'access', readonly WebhookEventType[]>> = {
  users: [
    'USER_CREATED',
    'USER_UPDATED',
    'USER_DEACTIVATED',
    'USER_REACTIVATED',
    'USER_DELETED',
    'USER_DOORS_CLOSED',
  ],
  groups: ['GROUP_CREATED', 'GROUP_UPDATED', 'GROUP_DELETED'],
  access: ['SESSION_REVOKED', 'GRANT_REVOKED', 'CREDENTIAL_CHANGED', 'CREDENTIAL_COMPROMISED'],
};

/** Returns the type in messages: lower case, with a dot after the first word. */
export const typeInMessage = (type: WebhookEventType): string => type.toLowerCase().replace('_', '.');
