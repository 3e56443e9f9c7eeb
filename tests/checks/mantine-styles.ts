import { readFileSync } from 'node:fs';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { readSheets, styleFaults } from './mantine-styles-rules.ts';
import { listCodeFiles, readModule } from './modules.ts';
import { report } from './report.ts';

/**
 * Checks that every Mantine component in use has its style sheet; otherwise only a person looking at the page would
 * notice.
 */
const paths = listCodeFiles(projectFolder(), 'web').filter((path) => !/\.test\.tsx?$/.test(path));
const modules = paths.map((path) => {
  const text = readFileSync(projectFolder(path), 'utf8');
  return { ...readModule(path, text), text };
});
const faults = styleFaults(modules, 'web/ui/mantine-styles.ts', readSheets(projectFolder('node_modules')));
if (modules.length === 0) faults.push('No files were found; the check looked in the wrong place.');
report(`styles of Mantine: ${modules.length} files`, faults);
