import type { Words } from '../en/index.ts';

export const keys: Words['keys'] = {
  title: 'Claves de firma',
  lead: 'Claves que firman los tokens de la organización. Se rotan automáticamente.',
  rotate: 'Rotar ahora',
  compromised: 'Retirar claves comprometidas',
  empty: 'Todavía no hay claves de firma',
  emptyHint: 'Las claves se crean automáticamente con el primer inicio de sesión.',
  made: 'Creada:',
  signs: 'Activa desde:',
  willSign: 'Activa a partir de:',
  retired: 'Retirada:',
  states: { NEXT: 'siguiente', CURRENT: 'actual', RETIRED: 'retirada' },
  stateHints: {
    NEXT: 'Publicada por adelantado, para que los verificadores reciban la clave antes de que firme.',
    CURRENT: 'Firma los tokens nuevos.',
    RETIRED: 'Ya no firma. Publicada hasta que caduquen todos los tokens que firmó.',
  },
  noneHints: { NEXT: 'Ninguna.', CURRENT: 'Ninguna.', RETIRED: 'Ninguna.' },
  jwks: 'Claves públicas',
  jwksLead:
    'Las claves públicas como JSON Web Key Set. Las aplicaciones que verifican tokens lo obtienen automáticamente.',
  algorithms: 'Algoritmos',
  rotateLead:
    'Las claves nuevas se publican ahora y empiezan a firmar cuando los verificadores han tenido tiempo de obtenerlas. Todos los tokens siguen siendo válidos y ningún usuario pierde la sesión.',
  compromisedTitle: '¿Retirar las claves comprometidas?',
  compromisedLead: 'Retire claves solo si puede tenerlas un atacante. Esta acción no se puede deshacer.',
  compromisedEnds:
    'Las claves se retiran de inmediato. Se rechazan todos los tokens que firmaron, para todos los usuarios y aplicaciones.',
  compromisedVerifiers:
    'Las aplicaciones que verifican tokens localmente los rechazan cuando obtienen las claves nuevas.',
  compromisedYou: 'También se rechazan sus propios tokens. Puede que tenga que iniciar sesión de nuevo.',
  compromisedSubmit: 'Retirar claves e invalidar tokens',
  understood: 'Entiendo que los tokens de todos los usuarios dejan de ser válidos.',
  notUnderstood: 'Marque la casilla para confirmar.',
  typeTenant: 'Para confirmar, escriba el ID de la organización: {tenant}',
  wrongTenant: 'El ID de la organización no coincide.',
};
