import type { Words } from '../en/index.ts';

export const roles: Words['roles'] = {
  title: 'Rollen',
  lead: 'Was Personen im Mandanten über ihr eigenes Konto hinaus dürfen. Vergeben an eine Person oder an alle in einer Gruppe.',
  names: { TENANT_ADMIN: 'Mandantenadministrator', HELP_DESK: 'Helpdesk', AUDITOR: 'Auditor' },
  explanations: {
    TENANT_ADMIN: 'Darf alles, was die API des Mandanten bietet.',
    HELP_DESK:
      'Findet Personen und Gruppen, beendet Sitzungen und verschickt Links für eine neue Anmeldung; nicht bei Personen, die selbst eine Rolle haben.',
    AUDITOR: 'Liest alles, auch Audit- und Bereitstellungsprotokoll, und ändert nichts.',
  },
  scopes: 'Scopes',
  scopesHint:
    'Eine App erhält sie für eine Person mit dieser Rolle, soweit sie auch selbst dafür registriert ist.',
  notHeld: 'gibt diese Rolle nicht',
  people: 'Wer sie hat',
  peopleHint:
    'Aus dem Sicherheitsprotokoll: wer diese oder irgendeine andere Rolle erhielt und diese jetzt hat. Wer sie nur über eine Gruppe hat, steht bei den Mitgliedern der Gruppe.',
  noPeople: 'Niemand hat sie persönlich erhalten.',
  groups: 'Gruppen, die sie geben',
  noGroups: 'Keine Gruppe gibt sie.',
};
