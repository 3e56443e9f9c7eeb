import { existsSync, readFileSync } from 'node:fs';
import { projectFolder } from '#platform/project-folder.ts';
import { conformanceFaults, readRows } from './conformance-rules.ts';
import { report } from './report.ts';

/** Every rule of docs/conformance.md names tests that are there. */
const rows = readRows(readFileSync(projectFolder('docs', 'conformance.md'), 'utf8'));
const read = (file: string) =>
  existsSync(projectFolder(file)) ? readFileSync(projectFolder(file), 'utf8') : undefined;
report(`conformance: ${rows.length} rules`, conformanceFaults(rows, read));
