export { Live, type LiveOptions } from './live.ts';
