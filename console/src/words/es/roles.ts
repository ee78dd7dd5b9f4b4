import type { Words } from '../en/index.ts';

export const roles: Words['roles'] = {
  title: 'Roles',
  lead: 'Lo que las personas pueden hacer en la organización más allá de su propia cuenta. Se dan a una persona o a todos los miembros de un grupo.',
  names: {
    TENANT_ADMIN: 'Administrador de la organización',
    HELP_DESK: 'Servicio de asistencia',
    AUDITOR: 'Auditor',
  },
  explanations: {
    TENANT_ADMIN: 'Puede hacer todo lo que ofrece la API de la organización.',
    HELP_DESK:
      'Encuentra personas y grupos, cierra las sesiones de las personas y les envía un enlace para volver a entrar; no a quienes tienen ellos mismos un rol.',
    AUDITOR: 'Lo lee todo, incluidos el registro de auditoría y el de aprovisionamiento, y no cambia nada.',
  },
  scopes: 'Ámbitos',
  scopesHint:
    'Una aplicación los obtiene para una persona con el rol, en la medida en que también esté registrada para ellos.',
  notHeld: 'este rol no lo da',
  people: 'Quién lo tiene',
  peopleHint:
    'Según el registro de seguridad: a quién se dio este rol, o cualquier otro, y lo tiene ahora. Quien lo tiene solo por un grupo figura entre los miembros del grupo.',
  noPeople: 'No se ha dado a nadie en persona.',
  groups: 'Grupos que lo dan',
  noGroups: 'Ningún grupo lo da.',
};
