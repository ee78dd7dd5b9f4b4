// The authorization server of the system that the end-to-end tests share, and of systems of a test's own: what it is started with besides
// main.ts makes passwords cheap to hash. Where the cost itself is what is looked at (e2e/cost, e2e/start, e2e/chaos), main.ts runs.
import { runProcess } from '@ostiary/service';
import { authProcess } from '../../src/process.ts';
import { quicker } from './quicker.ts';

void runProcess(authProcess(quicker));
