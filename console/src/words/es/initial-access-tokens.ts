import type { Words } from '../en/index.ts';

export const initialAccessTokens: Words['initialAccessTokens'] = {
  title: 'Tokens de acceso inicial',
  lead: 'Con uno de ellos, un programa se registra a sí mismo como aplicación (RFC 7591), dentro de los ámbitos del token.',
  create: 'Crear un token',
  shown: 'El token de acceso inicial',
  label: 'Token de acceso inicial',
  shownHint:
    'Déselo a quien instale el programa. Deja de servir si usted se va o pierde el rol que lo permite.',
  empty: 'No hay tokens que aún se puedan usar',
  emptyHint: 'Sin ellos, solo los administradores registran aplicaciones.',
  revoke: 'Revocar',
  revokeSentence:
    'El token deja de servir de inmediato. Las aplicaciones que se registraron con él permanecen.',
  how: 'Cómo se usa',
  howLead:
    'El programa lo envía una vez. Lo que obtiene es un ID de cliente propio, que figura en «Aplicaciones».',
  lifetimes: {
    hour: 'dentro de una hora',
    day: 'dentro de un día',
    week: 'dentro de una semana',
    month: 'dentro de 30 días',
    quarter: 'dentro de 90 días',
  },
  fields: {
    name: 'Nombre',
    scopes: 'Ámbitos',
    uses: 'Cuántas veces se puede usar',
    usesLeft: 'Usos restantes',
    made: 'Creado',
    ends: 'Caduca',
    action: 'Acción',
  },
  hints: {
    name: 'Para qué es, de modo que se distinga de los demás.',
    uses: 'Cuántas aplicaciones se pueden registrar con él: de 1 a 1000.',
    scopes: 'Lo máximo que puede pedir una aplicación registrada con él.',
  },
};
