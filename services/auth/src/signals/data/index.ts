export { postgresFactCursors, pruneCursors } from './cursors.ts';
export { deliveryQueue } from './deliveries.ts';
export { deliveryStore } from './delivery-list.ts';
export { outwardScans } from './invariants.ts';
export { deliveryOutbox } from './outbox.ts';
export { receiverHealth, receiverStore } from './receivers.ts';
export { pollStore } from './signal-polls.ts';
export { signalSubjects, streamStore } from './signal-streams.ts';
export { deliveryNotices, deliveryUpkeep, pruneOutward } from './upkeep.ts';
