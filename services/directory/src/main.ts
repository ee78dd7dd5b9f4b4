import { runProcess } from '@ostiary/service';
import { directoryProcess } from './process.ts';

await runProcess(directoryProcess);
