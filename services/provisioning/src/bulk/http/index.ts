export { bulk } from './bulk.ts';
