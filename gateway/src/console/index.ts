export type { ConsoleFiles } from './domain/console-file.ts';
