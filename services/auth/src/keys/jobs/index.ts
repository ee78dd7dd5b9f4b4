export { rotateDueKeys } from './key-rotation.ts';
