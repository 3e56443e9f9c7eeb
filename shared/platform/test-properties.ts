import fc from 'fast-check';
import { testSeed } from './test-seed.ts';

// Runs before the tests. DRAWS: how often a property that does not set its own number is tried.
const draws = process.env['DRAWS'];
fc.configureGlobal({ seed: testSeed, ...(draws === undefined ? {} : { numRuns: Number(draws) }) });
