export { wakeWorkers } from './facts.ts';
