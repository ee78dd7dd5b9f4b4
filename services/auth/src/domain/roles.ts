/** Roles a person can have in their tenant. Which API scopes a role brings is decided in `scopes.ts`. */
export const roles = ['tenant_admin'] as const;

export type Role = (typeof roles)[number];

export const isRole = (text: string): text is Role => (roles as readonly string[]).includes(text);
