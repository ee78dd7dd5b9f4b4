export { CrossOrigin } from './cross-origin.ts';
