export const roles = {
  title: 'Roles',
  lead: 'Permissions in the tenant beyond a user’s own account. Assign a role to a user or to all members of a group.',
  names: { TENANT_ADMIN: 'Tenant administrator', HELP_DESK: 'Help desk', AUDITOR: 'Auditor' },
  explanations: {
    TENANT_ADMIN: 'Has full access to the API of the tenant.',
    HELP_DESK:
      'Finds users and groups, signs users out and creates access reset links. Users with a role are excluded.',
    AUDITOR: 'Has read-only access, including the audit log and the provisioning log.',
  },
  scopes: 'Scopes',
  scopesHint: 'An app gets these scopes for a user with the role, if the app is registered for them.',
  notHeld: 'not included in this role',
  people: 'Users with this role',
  peopleHint: 'Current direct assignments and assignments through groups.',
  noPeople: 'The role is not assigned to any user.',
  groups: 'Groups with this role',
  noGroups: 'The role is not assigned to any group.',
};
