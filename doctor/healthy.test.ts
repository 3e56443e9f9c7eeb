import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { checks, examine, type NamedFinding } from './examine.ts';
import { withInstallation } from './installation.ts';
import { startHealthyInstallation } from './test-healthy.ts';

test('a healthy installation has no complaint, whichever check looks', async () => {
  const { env, envFile, close } = await startHealthyInstallation();
  onTestFinished(close);
  const findings: NamedFinding[] = [];
  await withInstallation({ env, envFile }, async (installation) => {
    // Side by side, the checks would hold each other up. One that a busy machine held up, which looks like a wrong clock, looks again.
    for (const check of checks) {
      let found: NamedFinding[] = [];
      const complaints = async () => {
        found = await examine(installation, [check]);
        return found.filter(({ level }) => level === 'fault' || level === 'warning');
      };
      await expect.poll(complaints).toEqual([]);
      findings.push(...found);
    }
  });
  expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(checks.map(({ name }) => name)));
  // What a trial doesn't have: metrics, TLS, a mailbox of support, a signing certificate, time stamps, letters of undertaking, backups, users and an archive of the database.
  const unchecked = findings.filter(({ level }) => level === 'unchecked').map(({ check }) => check);
  expect(unchecked).toEqual([
    'metrics',
    'database-durability',
    'database-user',
    'tls',
    'support-inbox',
    'signing-certificate',
    'time-stamps',
    'letters',
    'backups',
    'wal-archive',
  ]);
});

test('docs/operating/troubleshooting.md lists every check with what it looks at', () => {
  const docs = readFileSync(projectFolder('docs', 'operating', 'troubleshooting.md'), 'utf8');
  const table = docs.slice(docs.indexOf('| check |'), docs.indexOf('\n\n', docs.indexOf('| check |')));
  expect(table.split('\n').slice(2)).toEqual(checks.map(({ name, about }) => `| \`${name}\` | ${about} |`));
});
