import type { Words } from '../en/index.ts';

export const owners: Words['owners'] = {
  nobody: 'kein Eigentümer',
  group: 'Gruppe',
  owner: 'Eigentümer',
  transfer: 'Eigentümer wechseln',
  transferTitle: 'Eigentümer von „{name}“ wechseln',
  transferLead:
    'Beim Austritt des Eigentümers wird es je nach Richtlinie des Mandanten widerrufen, gesperrt oder übertragen. Das Secret ändert sich nicht. Rotieren Sie es, wenn der bisherige Eigentümer es nicht mehr kennen darf.',
  newOwner: 'Neuer Eigentümer',
  newOwnerHint:
    'Eine Gruppe oder ein aktiver Benutzer, dessen Rolle die Verwaltung erlaubt. Geben Sie den Anfang eines Namens oder einer E-Mail-Adresse ein.',
  ownerHint: 'Standard: Sie selbst. Eine Gruppe bleibt Eigentümer, wenn eines ihrer Mitglieder austritt.',
};
