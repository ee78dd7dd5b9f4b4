/** Nobody who could own it: unknown, of another tenant, not active, without a role for it, or a group with nobody active. All of them look alike. */
export class NoSuchOwner extends Error {}
