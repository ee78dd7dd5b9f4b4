// The authorization server of the system that the end-to-end tests share: what it is started with besides main.ts makes passwords cheap
// to hash. Systems of a test's own run main.ts, and verify the same hashes: each says what it took.
import { runProcess } from '@ostiary/service';
import { authProcess } from '../../src/process.ts';
import { quicker } from './quicker.ts';

await runProcess(authProcess(quicker));
