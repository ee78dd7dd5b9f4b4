import { appendDeliveries, wakeWorkers } from '../../events/data/index.ts';
import type { DeliveryOutbox } from '../domain/delivery-queue.ts';

export const deliveryOutbox: DeliveryOutbox = { append: appendDeliveries, wake: wakeWorkers };
