/**
 * The user or group cannot be an owner: unknown, of another tenant, not active, without a required role, or a group
 * without an active member. The cause is not disclosed.
 */
export class NoSuchOwner extends Error {}
