// Authorization server of the end-to-end tests, with cheap password hashing in addition to main.ts. Tests of the cost
// itself (e2e/cost, e2e/start, e2e/chaos) run main.ts.
import { runProcess } from '@ostiary/service';
import { authProcess } from '../../src/process.ts';
import { quicker } from './quicker.ts';

void runProcess(authProcess(quicker));
