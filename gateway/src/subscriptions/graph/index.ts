export { Live } from './live.ts';
