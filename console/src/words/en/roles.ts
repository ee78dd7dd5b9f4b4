export const roles = {
  title: 'Roles',
  lead: 'What people may do in the tenant beyond their own account. Given to a person, or to everybody in a group.',
  names: { TENANT_ADMIN: 'Tenant administrator', HELP_DESK: 'Help desk', AUDITOR: 'Auditor' },
  explanations: {
    TENANT_ADMIN: 'May do everything that the tenant’s API offers.',
    HELP_DESK:
      'Finds people and groups, ends people’s sessions, and sends them a link to sign in anew; not for people who have a role themselves.',
    AUDITOR: 'Reads everything, with the audit log and the provisioning log, and changes nothing.',
  },
  scopes: 'Scopes',
  scopesHint: 'An app gets these for a person with the role, as far as it is registered for them, too.',
  notHeld: 'not given by this role',
  people: 'Who has it',
  peopleHint:
    'From the security log: who was given the role, or any other, and has this one now. Who has it only through a group is among the members of the group.',
  noPeople: 'Nobody was given it by name.',
  groups: 'Groups that give it',
  noGroups: 'No group gives it.',
};
