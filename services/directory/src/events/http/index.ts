export { answerWhenClosed, type Closing } from './answer-when-closed.ts';
export { undeliveredEvents } from './undelivered-events.ts';
