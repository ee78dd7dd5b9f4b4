import type { Words } from '../en/index.ts';

export const owners: Words['owners'] = {
  nobody: 'sin propietario',
  group: 'grupo',
  owner: 'Propietario',
  transfer: 'Cambiar propietario',
  transferTitle: 'Cambiar el propietario de «{name}»',
  transferLead:
    'Cuando el propietario se da de baja, se revoca, se suspende o se transfiere, según la política de la organización. Su secreto no cambia. Rótelo si el propietario anterior ya no debe conocerlo.',
  newOwner: 'Nuevo propietario',
  newOwnerHint:
    'Un grupo o un usuario activo cuyo rol le permita gestionarlo. Empiece a escribir un nombre o un correo electrónico.',
  ownerHint:
    'Valor predeterminado: usted. Un grupo sigue siendo propietario cuando uno de sus miembros se da de baja.',
};
