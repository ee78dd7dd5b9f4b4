export type { Page, Position, Selection } from './domain/directory.ts';
export { Resources } from './domain/resources.ts';
