export { lookEveryMs, Relay, unpokedMs } from './relay.ts';
