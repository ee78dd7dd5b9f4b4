export type { Administrators } from './domain/administrators.ts';
export type { Credentials } from './domain/credentials.ts';
export type { Directory, Page, Position, Selection } from './domain/directory.ts';
export { Resources } from './domain/resources.ts';
