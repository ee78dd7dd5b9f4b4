/** Message types that a receiver must get. */
export interface Expectations {
  /** For each change of a user, in their order. */
  changes: Readonly<Record<ChangeType, readonly string[]>>;
  /** For each departure in addition, once each. */
  departure: readonly string[];
}

export type ChangeType = 'user.deactivated' | 'user.reactivated' | 'user.deleted';

const risc = (name: string): string => `https://schemas.openid.net/secevent/risc/event-type/${name}`;
const scim = (name: string): string => `urn:ietf:params:scim:event:prov:${name}`;
const sessionRevoked = 'https://schemas.openid.net/secevent/caep/event-type/session-revoked';

/** Standard Webhooks, with the types of this product. */
export const asWebhook: Expectations = {
  changes: {
    'user.deactivated': ['user.deactivated'],
    'user.reactivated': ['user.reactivated'],
    'user.deleted': ['user.deleted'],
  },
  departure: ['session.revoked', 'user.doors_closed'],
};

/** Shared Signals: RISC, CAEP and SCIM events (RFC 9967). */
export const asSignals: Expectations = {
  changes: {
    'user.deactivated': [risc('account-disabled'), scim('deactivate')],
    'user.reactivated': [risc('account-enabled'), scim('activate')],
    'user.deleted': [risc('account-purged'), scim('delete')],
  },
  departure: [sessionRevoked],
};

/** Event types that a stream must request to get all of these. */
export const signals: readonly string[] = [
  ...Object.values(asSignals.changes).flat(),
  ...asSignals.departure,
];

export const logout = 'logout';

/** OpenID Connect Back-Channel Logout: a departure only ends the sessions of the user. */
export const asLogout: Expectations = {
  changes: { 'user.deactivated': [], 'user.reactivated': [], 'user.deleted': [] },
  departure: [logout],
};

/**
 * Reports whether a delivery has an event. RISC account-disabled is sent for a deletion only if it can be undone, which
 * the tenants of this run do not allow.
 */
export const says = (type: string, variant: string | null): boolean =>
  !(type === 'user.deleted' && variant === risc('account-disabled'));
