export { GroupApiRoles } from './group-roles.tsx';
export { PersonApiRoles } from './person-roles.tsx';
export { useScopesOfApis } from './use-scopes-of-apis.ts';
