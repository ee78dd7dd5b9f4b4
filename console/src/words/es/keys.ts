import type { Words } from '../en/index.ts';

export const keys: Words['keys'] = {
  title: 'Claves de firma',
  lead: 'Con ellas se firman los tokens de la organización. Las claves rotan por sí solas; nadie tiene que hacer nada.',
  rotate: 'Rotar ahora',
  compromised: 'Han robado claves',
  empty: 'Todavía no hay claves',
  emptyHint: 'Se crean con el primer inicio de sesión.',
  made: 'Creada:',
  signs: 'Firma desde:',
  willSign: 'Firmará desde:',
  retired: 'Dejó de firmar:',
  states: { NEXT: 'siguiente', CURRENT: 'actual', RETIRED: 'retirada' },
  stateHints: {
    NEXT: 'Publicada, para que quien verifica la haya visto antes de que firme.',
    CURRENT: 'Firma lo que se emite ahora.',
    RETIRED: 'Ya no firma; sigue publicada hasta que caduque lo que firmó.',
  },
  noneHints: { NEXT: 'No espera ninguna.', CURRENT: 'Ninguna.', RETIRED: 'Ninguna.' },
  jwks: 'Dónde se publican',
  jwksLead: 'Las partes públicas, como JSON Web Key Set. Quien verifica tokens lo obtiene por sí solo.',
  algorithms: 'Cuáles',
  rotateLead:
    'Las sucesoras se publican ahora y firman en cuanto quienes verifican han tenido tiempo de verlas. No falla ningún token y no se cierra la sesión de nadie.',
  compromisedTitle: '¿Retirar ahora las claves robadas?',
  compromisedLead: 'Solo si una clave puede estar en otras manos. No se puede deshacer.',
  compromisedEnds:
    'Las claves se retiran de inmediato. Se rechaza todo token que hayan firmado, de cualquier persona y en cualquier aplicación.',
  compromisedVerifiers:
    'Las aplicaciones que verifican por su cuenta los rechazan en cuanto obtienen las claves nuevas.',
  compromisedYou: 'Entre ellos están sus propios tokens: puede que tenga que iniciar sesión de nuevo.',
  compromisedSubmit: 'Retirar las claves y todo lo que firmaron',
  understood: 'Entiendo que dejan de servir los tokens de todo el mundo.',
  notUnderstood: 'Confirme que lo entiende.',
  typeTenant: 'Escriba el ID de la organización para confirmar: {tenant}',
  wrongTenant: 'Ese no es el ID de la organización.',
};
