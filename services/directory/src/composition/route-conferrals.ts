import { conferring, type RouteConferrals } from '@ostiary/access';

const internal = (method: string, ...paths: string[]): string[] =>
  paths.map((path) => `${method} /internal/v1/${path}`);

/**
 * The rights that each modifying route of this service can confer. The process does not start with a route that is
 * not listed here. The routes serve other processes of the platform, which state the scopes that their callers may
 * assign (`roleScopes`).
 */
export const routeConferrals: RouteConferrals = {
  ...conferring('rights of the mutation', 'held scopes', ['POST /graphql']),
  ...conferring('identifying attributes of users; the roles of groups', 'platform', [
    ...internal('POST', 'tenants/:tenant/Users', 'tenants/:tenant/Groups'),
    ...internal('PUT', 'tenants/:tenant/Users/:id', 'tenants/:tenant/Groups/:id'),
    ...internal('PATCH', 'tenants/:tenant/Users/:id', 'tenants/:tenant/Groups/:id'),
  ]),
  ...conferring('nothing', 'platform', [
    ...internal('DELETE', 'tenants/:tenant/Users/:id', 'tenants/:tenant/Groups/:id'),
    ...internal('POST', 'tenants/:tenant/Users/search', 'tenants/:tenant/Groups/search', 'tenants'),
    ...internal('POST', 'tenants/:tenant/Groups/effective-members', 'events/confirm'),
    ...internal('POST', 'tenants/:tenant/Users/withdraw-vouching'),
    ...internal('PUT', 'tenants/:tenant/Groups/:id/privilege', 'tenants/:tenant/Users/:id/privilege'),
  ]),
};
