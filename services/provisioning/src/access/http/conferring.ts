import { conferring, type RouteConferrals } from '@ostiary/access';

const scim = (method: string, ...paths: string[]): string[] =>
  paths.map((path) => `${method} /t/:tenant/scim/v2/${path}`);

/**
 * The rights that each modifying route of this service can confer. The process does not start with a route that is
 * not listed here. The directory protects users with roles (their identifiers and the members of their groups), and
 * the authorization server their passwords; both receive the scopes of the caller (`roleScopesOf`).
 */
export const routeConferrals: RouteConferrals = {
  ...conferring('rights of the mutation', 'held scopes', ['POST /graphql']),
  ...conferring('a password; identifying attributes', 'held scopes', [
    ...scim('POST', 'Users'),
    ...scim('PUT', 'Users/:id', 'Me'),
    ...scim('PATCH', 'Users/:id', 'Me'),
  ]),
  ...conferring('the roles of the group', 'held scopes', [
    ...scim('POST', 'Groups'),
    ...scim('PUT', 'Groups/:id'),
    ...scim('PATCH', 'Groups/:id'),
  ]),
  ...conferring('rights of its operations', 'held scopes', scim('POST', 'Bulk')),
  ...conferring('nothing', 'held scopes', [
    ...scim('DELETE', 'Users/:id', 'Groups/:id', 'Me'),
    ...scim('POST', 'Users/.search', 'Groups/.search', '.search', 'Me'),
  ]),
  ...conferring('nothing', 'platform', [
    'POST /internal/v1/events',
    'POST /internal/v1/events/missing',
    'POST /internal/v1/tenants/:tenant/nodes',
  ]),
};
