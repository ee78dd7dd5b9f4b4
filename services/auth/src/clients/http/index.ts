export {
  type ClientAuthenticationDependencies,
  clientOf,
  conformingClientOf,
  hideFromOutside,
} from './client-authentication.ts';
export { type AppLogos, appOf, clientLogoRoutes } from './client-logo.ts';
export { internalClientEndpoints } from './internal-clients.ts';
export { registrationEndpoints } from './register.ts';
