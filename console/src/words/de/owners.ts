import type { Words } from '../en/index.ts';

export const owners: Words['owners'] = {
  nobody: 'niemand',
  group: 'Gruppe',
  owner: 'Eigentümer',
  transfer: 'Eigentümer wechseln',
  transferTitle: 'Wem soll „{name}“ gehören?',
  transferLead:
    'Mit dem Austritt des Eigentümers endet es, wird gesperrt oder geht an jemand anderen über, je nach Richtlinie des Mandanten. Das Secret bleibt, wie es ist: Rotieren Sie es, wenn die bisherige Person es nicht mehr kennen darf.',
  newOwner: 'Neuer Eigentümer',
  newOwnerHint:
    'Eine Gruppe oder eine aktive Person, deren Rolle die Verwaltung erlaubt. Anfang des Namens oder der Adresse eingeben.',
  ownerHint: 'Leer gehört es Ihnen. Eine Gruppe behält es, auch wenn eines ihrer Mitglieder geht.',
};
