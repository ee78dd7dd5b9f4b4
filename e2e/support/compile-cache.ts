import { join } from 'node:path';

/**
 * For the processes of tested systems, which load the same thousands of modules each time: V8 keeps what it compiled of them. Node looks
 * whether the source is still the same.
 */
export const compileCache = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'ostiary-processes'),
};
