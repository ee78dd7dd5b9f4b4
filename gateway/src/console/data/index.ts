export { ReleasedConsole } from './console-files.ts';
