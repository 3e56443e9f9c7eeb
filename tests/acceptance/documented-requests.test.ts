import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { readAccount } from '#shared/contract/account.ts';
import { createToken } from '#shared/contract/operator/tokens.ts';
import { dayOf } from '#shared/domain/day.ts';
import { monthBefore, monthOf } from '#shared/domain/month.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { testOperators } from '#server/test/operators.ts';
import { startTestPortal } from '#server/test/portal.ts';

const page = readFileSync(projectFolder('docs', 'operators-api.md'), 'utf8');
const blocks = [...page.matchAll(/^```sh\n(.+?)^```$/gms)].map(([, block = '']) => block);
/** A refusal ends the shell. */
const strictly = 'set -e\ncurl() { command curl --silent --show-error --fail-with-body "$@"; }\n';

test('every request in the documentation of the API of operators works as it is written, with a token of those calls', async () => {
  const portal = await startTestPortal({ jobs: false });
  const folder = mkdtempSync(join(tmpdir(), 'octroi-requests-'));
  try {
    const operators = testOperators(portal);
    const owner = await operators.signedIn('owner@kaveri.example', 'owner');
    await operators.prove('owner@kaveri.example');
    const scopes = [...page.matchAll(/operator\/(?:calls|files)\/(\w+)/g)].map(([, name = '']) => name);
    const { body } = await operators.act(owner, 'createToken', { name: 'CRM', scopes, days: 1 });
    const token = createToken.reply.parse(body).token ?? '';
    const { user } = await portal.ask(readAccount, {}, await portal.newCustomer());
    const over = monthBefore(monthOf(dayOf(portal.portal.clock())));
    const meant = (block: string) =>
      block
        .replaceAll('asha@kaveri.example', user.email)
        .replaceAll('CUS-7K2M9QX4TB01', user.id)
        .replaceAll('2026-11', over);
    const env = { ...process.env, PORTAL_URL: portal.portalUrl, TOKEN: token };
    const printed: string[] = [];
    for (const block of blocks) {
      const { stdout } = await promisify(execFile)('sh', ['-c', strictly + meant(block)], { cwd: folder, env });
      printed.push(stdout);
    }
    expect(printed).toHaveLength(2);
    expect(printed[0]).toContain(`"email":"${user.email}"`);
    expect(await portal.portal.db.selectFrom('customers').select(['blocked_reason']).execute()).toEqual([
      { blocked_reason: 'Fraud, case 4711' },
    ]);
    expect(readdirSync(folder)).toEqual([expect.stringMatching(/\.zip$/)]);
  } finally {
    await portal.close();
    rmSync(folder, { recursive: true });
  }
});
