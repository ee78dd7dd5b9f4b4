export { consolePages, noConsole } from './console-pages.ts';
