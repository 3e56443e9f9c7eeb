import { untilDayLasts } from './test-day.ts';

// Runs before each file of tests.
await untilDayLasts();
