export { type Reapplied, type Remembered, type RestoredDirectory, reapply } from './restoring.ts';
