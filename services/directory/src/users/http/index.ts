export { withdrawVouching } from './vouching.ts';
