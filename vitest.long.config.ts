import { configDefaults, defineConfig } from 'vitest/config';

/** `npm run test:long`: what takes too long for every change: every order, every byte, many lives. */
export default defineConfig({
  test: {
    // A poll waits for its condition; on a busy machine the default of one second is a measure of speed.
    expect: { poll: { timeout: 60_000 } },
    include: ['**/*.long.ts', '**/*model.test.ts', '**/races.test.ts'],
    exclude: [...configDefaults.exclude, 'build/**', 'data/**', 'tests/e2e/**'],
    setupFiles: ['shared/platform/test-properties.ts', 'shared/database/test-setup.ts'],
    globalSetup: ['ship/launch/test-build.ts', 'shared/database/test-folder.ts', 'server/test/server.ts'],
    env: {
      SEED: process.env['SEED'] ?? 'random',
      COMMANDS: process.env['COMMANDS'] ?? '50000',
      STORMS: process.env['STORMS'] ?? '20',
    },
    fileParallelism: false,
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
  },
});
