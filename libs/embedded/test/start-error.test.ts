import { describe, expect, test } from '@jest/globals';
import { fileProblem, lastTelling, programProblem, StartError } from '../src/start-error.ts';

describe('the message of a failed start', () => {
  test.each(['ENOSPC', 'EDQUOT'])(
    'The message names the full disk when writing fails with it (%s).',
    (code) => {
      expect(fileProblem({ code }, '/home/x')).toEqual(
        new StartError(
          'The disk that holds /home/x is full: free some space there, or choose another place with OSTIARY_HOME.',
        ),
      );
    },
  );

  test.each(['EACCES', 'EPERM', 'EROFS'])(
    'The message names the permission when writing is rejected (%s).',
    (code) => {
      expect(String(fileProblem({ code }, '/home/x'))).toContain('Ostiary cannot write to /home/x');
    },
  );

  test('An error of another kind is left unchanged.', () => {
    const error = new Error('else');
    expect(fileProblem(error, '/home/x')).toBe(error);
  });

  test('The message contains the reason that a program printed.', () => {
    const output =
      'starting\nFATAL:  lock file "postmaster.pid" already exists\nHINT: look\n    at Object.<anonymous>\n';
    expect(programProblem('Starting PostgreSQL', output, '/home/x').message).toBe(
      'Starting PostgreSQL failed: FATAL:  lock file "postmaster.pid" already exists',
    );
    expect(programProblem('Migrating', '', '/home/x').message).toBe('Migrating failed');
  });
});

describe('lastTelling', () => {
  test('The lastTelling function reads structured lines by their level.', () => {
    const lines = [
      { level: 'info', msg: 'serving' },
      { level: 'fatal', msg: 'unexpected failure', err: { message: 'no such relation' } },
      { level: 'info', msg: 'stopped' },
    ];
    expect(lastTelling(lines.map((line) => JSON.stringify(line)).join('\n'))).toBe(
      'unexpected failure: no such relation',
    );
  });

  test('The lastTelling function prefers a plain error message to later lines.', () => {
    expect(lastTelling('auth: ENCRYPTION_KEY is not set.\n{"level":"info","msg":"stopped"}\n')).toBe(
      'auth: ENCRYPTION_KEY is not set.',
    );
  });

  test('The lastTelling function returns undefined for empty output.', () => {
    expect(lastTelling('\n  \n')).toBeUndefined();
  });
});
