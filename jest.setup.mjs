import { jest } from '@jest/globals';

// Maximum time of a test and of a hook. It only detects a hang. It is larger than the bound of one wait (waitBoundMs of
// @ostiary/service/testing, 60 s), because a test may contain several waits and start several processes: a wait that fails must report
// its last answer before the test times out.
jest.setTimeout(300_000);
