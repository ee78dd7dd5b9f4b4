import { jest } from '@jest/globals';

// These tests start systems of several processes; what they wait for has bounds of its own.
jest.setTimeout(60_000);
