import { readFileSync } from 'node:fs';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { listCodeFiles } from './modules.ts';
import { rawSqlFaults } from './raw-sql-rules.ts';
import { report } from './report.ts';

/** Results of raw SQL are checked at run time, or come from expressions that a test verifies. */
const paths = listCodeFiles(projectFolder()).filter((path) => path.endsWith('.ts'));
const faults = paths.flatMap((path) => rawSqlFaults(path, readFileSync(projectFolder(path), 'utf8')));
if (paths.length === 0) faults.push('No files were found; the check looked in the wrong place.');
report(`raw SQL: ${paths.length} files`, faults);
