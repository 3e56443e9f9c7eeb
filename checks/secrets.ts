import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#platform/project-folder.ts';
import { report } from './report.ts';
import { secretsIn } from './secrets-rules.ts';

const root = projectFolder();
const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
  cwd: root,
  encoding: 'utf8',
});
// The rules and their test have to spell out what they look for.
const files = listed
  .split('\0')
  .filter((path) => path !== '' && !path.startsWith('checks/secrets') && existsSync(join(root, path)));
const faults = files.flatMap((path) => secretsIn(path, readFileSync(join(root, path), 'utf8')));
if (files.length === 0) faults.push('No file was found; the check looked in the wrong place.');
report(`secrets: ${files.length} files`, faults);
