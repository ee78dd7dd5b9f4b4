import type { Words } from '../en/index.ts';

export const trustedIssuers: Words['trustedIssuers'] = {
  title: 'Emisores de confianza',
  one: 'Emisor de confianza',
  lead: 'Emisores externos cuyas aserciones firmadas pueden canjear ciertas aplicaciones por tokens de acceso (RFC 7523).',
  create: 'Añadir emisor de confianza',
  warning:
    'Un emisor de confianza puede suplantar a todos los usuarios que usted vincule a él. Para añadirlo necesita todos los ámbitos que conceda y permiso para escribir usuarios y roles. Las aserciones solo se aceptan para usuarios vinculados.',
  empty: 'No hay emisores de confianza',
  emptyHint:
    'Es la configuración más segura. Añada un emisor solo si una aplicación inicia la sesión de los usuarios en otro sitio y actúa aquí por ellos.',
  gone: 'No se encontró el emisor de confianza',
  goneHint: 'Puede que se haya quitado.',
  registration: 'Registro',
  unchangeable:
    'Esta configuración no se puede cambiar. Para cambiarla, quite el emisor y vuelva a añadirlo; se revocan entonces todos sus tokens.',
  noClients:
    'Ninguna aplicación tiene el tipo de concesión necesario. Añada antes el tipo de concesión jwt-bearer a una aplicación.',
  delete: 'Quitar emisor',
  deleteTitle: '¿Quitar el emisor de confianza «{name}»?',
  deleteLead:
    'Todos los tokens emitidos por sus aserciones se revocan de inmediato y se eliminan sus vínculos con usuarios.',
  fields: {
    name: 'Nombre',
    issuer: 'Emisor',
    jwksUri: 'URL de las claves (jwks_uri)',
    jwks: 'Claves',
    clientIds: 'Aplicaciones autorizadas',
    scopes: 'Ámbitos',
    since: 'Añadido',
  },
  hints: {
    name: 'Se muestra a los administradores.',
    issuer: 'El claim «iss» de sus aserciones. La coincidencia debe ser exacta.',
    jwksUri: 'La URL de su JSON Web Key Set.',
    jwks: 'Un JSON Web Key Set, en lugar de una URL.',
    clientIds: 'Aplicaciones con el tipo de concesión jwt-bearer.',
    scopes: 'Los ámbitos máximos para sus aserciones, dentro de los ámbitos de usted.',
  },
  bindings: {
    title: 'Usuarios vinculados',
    lead: 'Cada sujeto del emisor se vincula a un usuario. Los usuarios nunca se emparejan por dirección de correo ni por nombre.',
    bind: 'Vincular usuario',
    empty: 'Todavía no hay usuarios vinculados',
    emptyHint: 'Vincule un usuario para aceptar las aserciones de este emisor.',
    subject: 'Sujeto',
    subjectHint: 'El claim «sub» de sus aserciones. La coincidencia debe ser exacta.',
    person: 'Usuario',
    personHint:
      'Escriba un nombre o una dirección de correo. Para vincular a un usuario que tiene un rol, necesita permiso para asignar ese rol.',
    since: 'Vinculado',
    actions: 'Acción',
    unbind: 'Desvincular',
    unbindSentence: 'Todos los tokens emitidos mediante este vínculo se revocan de inmediato.',
  },
};
