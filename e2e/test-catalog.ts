import { appendFileSync, cpSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A plan whose quotas are used up after ten calls. */
const tiny = `  - id: tiny
    category: tests
    name: Tiny
    description: For tests that use a quota up.
    price: 10
    dailyQuota: 10
    monthlyQuota: 12
    rps: 50
    benefits:
      - { key: daily, value: 10, display: '10 requests per day' }
`;

/** A copy of the catalogue in which the tax look-up has one more plan, Tiny. Returns its folder. */
export function makeTestCatalog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-catalog-'));
  const catalog = join(import.meta.dirname, '..', 'catalog');
  for (const file of readdirSync(catalog).filter((name) => name.endsWith('.yaml'))) {
    cpSync(join(catalog, file), join(folder, file));
  }
  appendFileSync(join(folder, 'tax-lookup-api.yaml'), tiny);
  return folder;
}
