export {
  keepingIdentifiers,
  mustBeAllowedToIdentify,
  mustBeAllowedToReactivate,
} from './domain/identifiers.ts';
export type { PrivilegeTables, RoleTables } from './domain/ports.ts';
export { mustBeAllowedToGive } from './domain/privileges.ts';
