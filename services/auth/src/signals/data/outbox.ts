import { appendDeliveries, wakeWorkers } from '../../tenancy/events/data/facts.ts';
import type { DeliveryOutbox } from '../domain/delivery-queue.ts';

export const deliveryOutbox: DeliveryOutbox = { append: appendDeliveries, wake: wakeWorkers };
