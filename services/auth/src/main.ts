import { runProcess } from '@ostiary/service';
import { authProcess } from './process.ts';

await runProcess(authProcess());
