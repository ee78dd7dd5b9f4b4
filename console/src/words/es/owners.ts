import type { Words } from '../en/index.ts';

export const owners: Words['owners'] = {
  nobody: 'de nadie',
  group: 'grupo',
  owner: 'Propietario',
  transfer: 'Dar a otro propietario',
  transferTitle: '¿De quién debe ser «{name}»?',
  transferLead:
    'Sigue a su propietario cuando este se va: entonces termina, se suspende o cambia de manos, según la política de la organización. Su secreto no cambia. Rótelo si quien lo tenía ya no debe conocerlo.',
  newOwner: 'Nuevo propietario',
  newOwnerHint:
    'Un grupo, o una persona activa cuyo rol le permita gestionarlo. Empiece a escribir un nombre o una dirección.',
  ownerHint: 'Si se deja vacío, es suyo. Un grupo lo conserva cuando uno de sus miembros se va.',
};
