import { useMay } from '../session/index.ts';

export const readScopes = ['roles:read', 'roles:write'] as const;

/** Returns the scope to name for an assignment, which requires both. */
export const useAssignScopes = (): readonly string[] =>
  useMay('clients:write') ? ['roles:write'] : ['clients:write'];
