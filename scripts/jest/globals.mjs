/** Replaces `@jest/globals` for a test file; see runtime.mjs. */
import { current } from './test-file.mjs';

export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = current();
