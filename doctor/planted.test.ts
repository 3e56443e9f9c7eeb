import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { checks, examine, type NamedFinding } from './examine.ts';
import { withInstallation } from './installation.ts';
import { insideRows } from './test-faults-inside.ts';
import { outsideRows } from './test-faults-outside.ts';
import { type HealthyInstallation, startHealthyInstallation } from './test-healthy.ts';
import { named } from './test-installation.ts';
import { inProduction, type Planted } from './test-planting.ts';

/**
 * Faults by which customers can't call or pay, or by which nobody notices in time. Each is planted into an installation that works, and the
 * check that looks there must name it with a remedy.
 */
let healthy: HealthyInstallation;
beforeAll(async () => {
  healthy = await startHealthyInstallation();
});
afterAll(() => healthy.close());

const rows = [...outsideRows, ...insideRows];

test.each(rows)('names with a remedy that %s', async (_fault, plant, check, found, remedy) => {
  onTestFinished(() => healthy.apiResponds());
  const { envFile = healthy.envFile, isSlow, ...changed }: Planted = { ...(await plant(healthy)) };
  const findings = await withInstallation(
    { env: { ...healthy.env, ...changed }, envFile, isSlow: isSlow !== undefined },
    (installation) => examine(installation, [named(check)]),
  );
  const problem = expect.objectContaining({
    check,
    level: expect.stringMatching(/^(fault|warning)$/),
    found: expect.stringContaining(found),
    means: expect.stringMatching(/.{15}/),
    remedy: expect.stringContaining(remedy),
  });
  expect(findings).toContainEqual(problem);
});

test('no check shows a secret that stands where another value belongs', async () => {
  const findings: NamedFinding[] = [];
  const misplaced = { GOOGLE_CLIENT_ID: 'GOCSPX-kLm0nOpQ9rStUvWz' };
  for (const changed of [misplaced, inProduction(misplaced)])
    findings.push(...(await withInstallation({ env: { ...healthy.env, ...changed } }, examine)));
  expect(findings.length).toBeGreaterThan(checks.length);
  expect(JSON.stringify(findings)).not.toContain('kLm0nOpQ9rStUvWz');
});

test('there are at least 25 of them', () => {
  expect(rows.length).toBeGreaterThanOrEqual(25);
});
