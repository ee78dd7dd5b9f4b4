import { conferring, type RouteConferrals } from '@ostiary/access';

const scim = (method: string, ...paths: string[]): string[] =>
  paths.map((path) => `${method} /t/:tenant/scim/v2/${path}`);

/**
 * What every route of this service confers that can change something. A route that isn't here is no route: the process doesn't
 * start with it. Users with roles are protected by the directory (what they are recognised by, who is in their groups)
 * and the authorization server (their passwords); both are given the scopes of the caller (`roleScopesOf`).
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
