export { LogWriter } from './log-writer.ts';
