export const owners = {
  nobody: 'nobody’s',
  group: 'group',
  owner: 'Owner',
  transfer: 'Give to another owner',
  transferTitle: 'Who shall own “{name}”?',
  transferLead:
    'It goes with its owner when they leave: then it ends, is suspended, or changes hands, as the tenant’s policy says. Its secret stays what it is. Rotate it where whoever had it must not know it any longer.',
  newOwner: 'New owner',
  newOwnerHint:
    'A group, or an active person whose role lets them manage it. Begin to type a name or an address.',
  ownerHint: 'Left empty, it is yours. A group keeps it when one of its members leaves.',
};
