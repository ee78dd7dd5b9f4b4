import { runProcess } from '@ostiary/service';
import { directoryProcess } from './process.ts';

void runProcess(directoryProcess);
