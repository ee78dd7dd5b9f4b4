import { join } from 'node:path';

/**
 * V8 compile cache for the processes of tested systems, which load thousands of modules. Node ignores stale entries.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ostiary-processes'),
};
