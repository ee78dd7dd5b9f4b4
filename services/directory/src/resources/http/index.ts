export {
  booleanField,
  clientIdOf,
  flagField,
  idListField,
  integerField,
  objectBody,
  originOf,
  textField,
  textListField,
} from './body.ts';
export { resourceRoutes } from './resource-routes.ts';
export type { ResourceParams, TenantParams } from './routes.ts';
