import type { Words } from '../en/index.ts';

export const roles: Words['roles'] = {
  title: 'Roles',
  lead: 'Permisos en la organización más allá de la propia cuenta. Asigne un rol a un usuario o a todos los miembros de un grupo.',
  names: {
    TENANT_ADMIN: 'Administrador de la organización',
    HELP_DESK: 'Servicio de asistencia',
    AUDITOR: 'Auditor',
  },
  explanations: {
    TENANT_ADMIN: 'Tiene acceso completo a la API de la organización.',
    HELP_DESK:
      'Busca usuarios y grupos, cierra sesiones y crea enlaces para restablecer el acceso. Se excluyen los usuarios que tienen un rol.',
    AUDITOR: 'Tiene acceso de solo lectura, incluidos el registro de auditoría y el de aprovisionamiento.',
  },
  scopes: 'Ámbitos',
  scopesHint:
    'Una aplicación obtiene estos ámbitos para un usuario con el rol si está registrada para ellos.',
  notHeld: 'no incluido en este rol',
  people: 'Usuarios con este rol',
  peopleHint: 'Asignaciones actuales, directas y a través de grupos.',
  noPeople: 'El rol no está asignado a ningún usuario.',
  groups: 'Grupos con este rol',
  noGroups: 'El rol no está asignado a ningún grupo.',
};
