import { expect, test } from 'vitest';
import { readCalls } from './reads.ts';

test('the benchmark of the portal has values for every read of the contract', async () => {
  const names = (await readCalls()).map(({ name }) => name);
  expect(names).toContain('GET /accountants/:accountantId');
  expect(names.length).toBeGreaterThan(30);
});
