import { join } from 'node:path';
import { build } from 'esbuild';
import { bundlePrograms } from '#launch/build.mjs';
import { projectFolder } from '#platform/project-folder.ts';

/** The operator's commands, which `npm run` starts from their source; bundled they start in a fraction of the time. */
const commands = {
  'verify-ledger': 'checks/verify-ledger.ts',
  accounts: 'server/accounts.ts',
  gstr1: 'server/gstr1.ts',
  gstr3b: 'server/gstr3b.ts',
  'cancel-e-invoice': 'server/cancel-e-invoice.ts',
  'retry-e-invoice': 'server/retry-e-invoice.ts',
  octroi: 'cli/main.ts',
};
export type Command = keyof typeof commands;

const outdir = join('build', 'audit');

/** Builds the processes of the product and the operator's commands from the present source. */
export async function buildPrograms(): Promise<void> {
  await bundlePrograms(projectFolder());
  await build({
    absWorkingDir: projectFolder(),
    entryPoints: commands,
    outdir,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
}

export const scriptOf = (command: Command): string => projectFolder(outdir, `${command}.js`);
