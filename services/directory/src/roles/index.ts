export type {
  EffectiveMemberStore,
  PrivilegeStore,
  PrivilegeTables,
  RoleHolderStore,
  RoleStore,
} from './domain/ports.ts';
export { mustBeAllowedToGive, Privileges } from './domain/privileges.ts';
export { keepingRecognition, mustBeAllowedToReactivate } from './domain/recognition.ts';
