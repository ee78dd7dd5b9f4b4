export { RemoteAdministrators } from './administrators.ts';
export { RemoteCredentials } from './credentials.ts';
export { RemoteDirectory } from './directory.ts';
