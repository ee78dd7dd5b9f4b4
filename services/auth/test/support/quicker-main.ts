// The authorization server of the system that the end-to-end tests share: what it is started with besides main.ts makes passwords cheap
// to hash. Systems of a test's own begin with the same users but run main.ts: each hash says what it took, and new ones cost as in production.
import { runProcess } from '@ostiary/service';
import { authProcess } from '../../src/process.ts';
import { quicker } from './quicker.ts';

void runProcess(authProcess(quicker));
