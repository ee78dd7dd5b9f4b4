export { type RecordingOptions, recordOperation, recordRequest } from './record.ts';
