export type { PrivilegeTables, RoleHolderStore } from './domain/ports.ts';
export { mustBeAllowedToGive } from './domain/privileges.ts';
export { keepingRecognition, mustBeAllowedToReactivate } from './domain/recognition.ts';
