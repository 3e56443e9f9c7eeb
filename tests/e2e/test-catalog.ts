import { appendFileSync, cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A plan whose quotas are used up after ten calls, with a pack to recharge it. */
const tiny = `  - id: tiny
    category: tests
    name: Tiny
    description: For tests that use a quota up.
    price: 10
    dailyQuota: 10
    monthlyQuota: 12
    rps: 50
    packs: [{ id: extra-20, name: Extra 20, units: 20, price: 25 }]
    benefits:
      - { key: daily, value: 10, display: '10 requests per day' }
`;

/** A plan for a year, paid at once. */
const yearly = `  - id: yearly
    category: yearly
    name: Yearly
    description: A year at once.
    price: 11999
    maxDays: 365
    dailyQuota: 1000
    monthlyQuota: 300000
    rps: 5
    benefits:
      - { key: daily, value: 1000, display: '1,000 requests per day' }
`;

/** A copy of the tests' catalogue in which the tax look-up has two more plans, Tiny and Yearly. Returns its folder. */
export function makeTestCatalog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-catalog-'));
  cpSync(join(import.meta.dirname, '..', '..', 'ship', 'standins', 'catalog'), folder, { recursive: true });
  appendFileSync(join(folder, 'tax-lookup-api.yaml'), tiny + yearly);
  return folder;
}
