import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that take long. Vitest begins with the largest, so all the others would wait for these at the end. */
const longest = [
  'topology/topology.test.ts',
  'doctor/planted.test.ts',
  'money-tests/cut-responses.test.ts',
  'gateway/calls/abandoned-calls.test.ts',
  'money-tests/model.test.ts',
  'money-tests/refunding-model.test.ts',
];

const isLong = ({ moduleId }: TestSpecification) => longest.some((path) => moduleId.endsWith(path));

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const largestFirst = await BaseSequencer.prototype.sort.call(this, files);
    return largestFirst.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a)));
  }
}

export default defineConfig({
  test: {
    // The closing list of `npm test` has the messages alone: they name what was found, not "{ …(1) }".
    chaiConfig: { truncateThreshold: 300 },
    // A poll waits for its condition; on a busy machine the default of one second is a measure of speed.
    expect: { poll: { timeout: 60_000 } },
    include: ['**/*.test.{ts,tsx}'],
    exclude: [...configDefaults.exclude, 'build/**', 'data/**', 'tests/e2e/**'],
    setupFiles: ['shared/platform/test-properties.ts', 'shared/database/test-setup.ts'],
    globalSetup: ['ship/launch/test-build.ts', 'shared/database/test-folder.ts', 'server/test/server.ts'],
    // Many tests wait for a time-out, a process or a database: one more than there are cores is busy.
    maxWorkers: availableParallelism() + 1,
    // Loading every module again for each file took half of the time; a file leaves nothing behind in them.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // They end what hangs, and measure no speed: beside two busy loops a test that starts a process with tsx took 30 seconds.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    passWithNoTests: false,
    // Fonts are style sheets, which Vite leaves out of tests and Node can't import.
    server: { deps: { inline: [/@fontsource-variable/] } },
  },
});
