import { runProcess } from '@ostiary/service';
import { authProcess } from './process.ts';

void runProcess(authProcess());
