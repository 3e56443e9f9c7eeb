import { expect, test } from 'vitest';
import { readCatalog } from '#catalog/catalog-files.ts';
import { samplePlan } from '#catalog/sample-plan.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { readCalls } from './reads.ts';

test('the benchmark of the portal has values for every read of the contract', async () => {
  const sample = samplePlan(readCatalog(projectFolder('ship', 'standins', 'catalog')));
  if (sample === undefined) throw new Error('the catalogue has no paid plan of a month');
  const names = (await readCalls(sample)).map(({ name }) => name);
  expect(names).toContain('GET /accountants/:accountantId');
  expect(names.length).toBeGreaterThan(30);
});
