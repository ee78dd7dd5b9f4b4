import { jest } from '@jest/globals';

// A bound for a test that hangs, not for one that is slow: on two busy cores even a second is no measure. What must be
// fast is asserted where it is claimed.
jest.setTimeout(60_000);
