import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { lockFileFaults, lockFileSchema, withoutUnknown } from './lock-file-rules.ts';
import { report } from './report.ts';

/** Verifies package-lock.json, or completes it (`--write`). */
const file = projectFolder('package-lock.json');
const read = () => lockFileSchema.parse(JSON.parse(readFileSync(file, 'utf8')));

const { values: flags } = parseArgs({ options: { write: { type: 'boolean', default: false } } });
if (flags.write) {
  writeFileSync(file, `${JSON.stringify(withoutUnknown(read()), null, 2)}\n`);
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], {
    cwd: projectFolder(),
    stdio: 'inherit',
  });
}
report(`package-lock.json: ${Object.keys(read().packages).length} packages`, lockFileFaults(read()));
