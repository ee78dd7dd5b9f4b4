import type { Words } from '../en/index.ts';

export const trustedIssuers: Words['trustedIssuers'] = {
  title: 'Emisores de confianza',
  one: 'Emisor de confianza',
  lead: 'Quién de fuera puede decir quién es una persona: sus aserciones firmadas dan tokens de acceso a aplicaciones determinadas (RFC 7523).',
  create: 'Confiar en un emisor',
  warning:
    'Quien dice quién es una persona puede ser cualquiera. Por eso esto requiere todos los ámbitos que usted dé y, además, el derecho a escribir personas y roles. Las aserciones solo valen para las personas que se vincularon a un sujeto, una por una.',
  empty: 'No se confía en nadie de fuera',
  emptyHint:
    'Es el estado seguro. Confíe en un emisor cuando una aplicación reciba de otro sitio las identidades de las personas y actúe aquí por ellas.',
  gone: 'No existe ese emisor',
  goneHint: 'Puede que se haya retirado la confianza en él.',
  registration: 'Qué se le confía',
  unchangeable:
    'Esto no se puede cambiar: retire la confianza y vuelva a darla, para que nada anterior se apoye en ella.',
  noClients:
    'Ninguna aplicación tiene todavía el tipo de concesión necesario. Dé antes a una la concesión «jwt-bearer».',
  delete: 'Retirar la confianza',
  deleteTitle: '¿Dejar de confiar en «{name}»?',
  deleteLead:
    'Todo lo que se emitió por su palabra deja de servir de inmediato, para todo el mundo. Se olvidan sus vínculos con personas.',
  fields: {
    name: 'Nombre',
    issuer: 'Emisor',
    jwksUri: 'Dirección de sus claves',
    jwks: 'Sus claves',
    clientIds: 'Aplicaciones que pueden presentar sus aserciones',
    scopes: 'Ámbitos',
    since: 'Desde',
  },
  hints: {
    name: 'Cómo lo llaman los administradores.',
    issuer: 'El «iss» de sus aserciones, comparado byte a byte.',
    jwksUri: 'Dónde publica su JSON Web Key Set.',
    jwks: 'Un JSON Web Key Set, en lugar de una dirección.',
    clientIds: 'Las que tienen la concesión «jwt-bearer».',
    scopes: 'Lo máximo que aportan sus aserciones, dentro de los ámbitos de usted.',
  },
  bindings: {
    title: 'A quién se refiere',
    lead: 'Un sujeto del emisor se vincula a una persona de aquí. A nadie se le busca por una dirección o un nombre.',
    bind: 'Vincular un sujeto a una persona',
    empty: 'Todavía no hay nadie vinculado',
    emptyHint: 'Mientras no lo haya, sus aserciones no obtienen nada.',
    subject: 'Sujeto',
    subjectHint: 'El «sub» de sus aserciones, comparado byte a byte.',
    person: 'Persona',
    personHint:
      'Empiece a escribir un nombre o una dirección. Vincular a alguien que tiene un rol requiere lo mismo que darle ese rol.',
    since: 'Desde',
    actions: 'Acción',
    unbind: 'Desvincular',
    unbindSentence: 'Todo lo que se emitió por su palabra sobre esta persona deja de servir de inmediato.',
  },
};
