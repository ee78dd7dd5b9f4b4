export { Conditions } from './conditions.ts';
