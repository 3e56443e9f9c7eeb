import { readFileSync } from 'node:fs';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { report } from './report.ts';
import { repositoryFiles } from './repository-files.ts';
import { secretsIn } from './secrets-rules.ts';

// The rules and their test contain the patterns themselves.
const files = repositoryFiles().filter((path) => !path.startsWith('tests/checks/secrets'));
const faults = files.flatMap((path) => secretsIn(path, readFileSync(projectFolder(path), 'utf8')));
if (files.length === 0) faults.push('No files were found; the check looked in the wrong place.');
report(`secrets: ${files.length} files`, faults);
