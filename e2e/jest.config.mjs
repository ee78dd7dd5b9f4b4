import preset from '../jest.preset.mjs';

export default { ...preset, setupFilesAfterEnv: ['<rootDir>/story/timeouts.ts'] };
