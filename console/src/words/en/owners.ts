export const owners = {
  nobody: 'no owner',
  group: 'group',
  owner: 'Owner',
  transfer: 'Change owner',
  transferTitle: 'Change the owner of “{name}”',
  transferLead:
    'When the owner is offboarded, it is revoked, suspended or transferred, as the tenant policy defines. Its secret does not change. Rotate the secret if the previous owner must no longer know it.',
  newOwner: 'New owner',
  newOwnerHint:
    'A group, or an active user with a role that can manage it. Start typing a name or an email address.',
  ownerHint: 'Default: you. A group stays the owner when one of its members is offboarded.',
};
