export { raise, standingsOf } from './standings.ts';
