import fc from 'fast-check';
import { testSeed } from './test-seed.ts';

// Runs before the tests. DRAWS=4000 tries each property so often that does not set its own number.
const draws = process.env['DRAWS'];
fc.configureGlobal({ seed: testSeed, ...(draws === undefined ? {} : { numRuns: Number(draws) }) });
