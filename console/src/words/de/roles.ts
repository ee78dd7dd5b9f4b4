import type { Words } from '../en/index.ts';

export const roles: Words['roles'] = {
  title: 'Rollen',
  lead: 'Berechtigungen im Mandanten über das eigene Konto hinaus. Weisen Sie eine Rolle einem Benutzer oder allen Mitgliedern einer Gruppe zu.',
  names: { TENANT_ADMIN: 'Mandantenadministrator', HELP_DESK: 'Helpdesk', AUDITOR: 'Auditor' },
  explanations: {
    TENANT_ADMIN: 'Hat vollen Zugriff auf die API des Mandanten.',
    HELP_DESK:
      'Findet Benutzer und Gruppen, meldet Benutzer ab und erstellt Links zum Zurücksetzen des Zugangs. Benutzer mit einer Rolle sind ausgenommen.',
    AUDITOR: 'Hat Lesezugriff, auch auf Audit- und Bereitstellungsprotokoll.',
  },
  scopes: 'Scopes',
  scopesHint:
    'Eine App erhält diese Scopes für einen Benutzer mit der Rolle, wenn sie dafür registriert ist.',
  notHeld: 'nicht in dieser Rolle enthalten',
  people: 'Benutzer mit dieser Rolle',
  peopleHint: 'Aktuelle Zuweisungen, direkt und über Gruppen.',
  noPeople: 'Die Rolle ist keinem Benutzer zugewiesen.',
  groups: 'Gruppen mit dieser Rolle',
  noGroups: 'Die Rolle ist keiner Gruppe zugewiesen.',
};
