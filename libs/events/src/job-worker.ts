import { longestBlockMs } from '@ostiary/service';
import { Worker } from 'bullmq';

/** Waits for no longer than a connection may be silent: BullMQ's own waits up to ten seconds for a job that is to be tried again later. */
export class JobWorker<Data> extends Worker<Data> {
  override get maximumBlockTimeout(): number {
    return longestBlockMs / 1_000;
  }
}
