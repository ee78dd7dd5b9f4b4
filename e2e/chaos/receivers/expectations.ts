/** By what messages a receiver is told. */
export interface Expectations {
  /** Of each change of a person, in their order. */
  changes: Readonly<Record<ChangeType, readonly string[]>>;
  /** Of each departure besides, each once. */
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

/** What a stream has to ask for to be told that. */
export const signals: readonly string[] = [
  ...Object.values(asSignals.changes).flat(),
  ...asSignals.departure,
];

export const logout = 'logout';

/** OpenID Connect Back-Channel Logout: of a departure all there is to say is that the person's sessions are over. */
export const asLogout: Expectations = {
  changes: { 'user.deactivated': [], 'user.reactivated': [], 'user.deleted': [] },
  departure: [logout],
};

/**
 * Whether a delivery has something to say: RISC's account-disabled tells of a deletion only when it can be undone, which in a
 * tenant that keeps nothing it can't.
 */
export const says = (type: string, variant: string | null): boolean =>
  !(type === 'user.deleted' && variant === risc('account-disabled'));
