import { readFileSync } from 'node:fs';
import { notAnSez } from '#shared/contract/account.ts';
import { refusals } from '#shared/contract/refusals.ts';
import { countingRules } from '#shared/domain/metering.ts';
import { placeOfSupplyCandidates } from '#shared/domain/states.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { listCodeFiles } from './modules.ts';
import { report } from './report.ts';
import { roomOf } from './rooms.ts';
import { ruleMessagesOf, textFaults } from './texts-rules.ts';

/** Every text of the customers' pages has a Hindi translation, and every Hindi text is used. The console is in English. */
const paths = listCodeFiles(projectFolder(), 'web').filter(
  (path) => !/\.test\.tsx?$/.test(path) && roomOf(path) === 'web',
);
const files = paths.map((path) => ({ path, text: readFileSync(projectFolder(path), 'utf8') }));
const rulesOf = (path: string) => ruleMessagesOf({ path, text: readFileSync(projectFolder(path), 'utf8') });
const faults = textFaults(files, {
  'web/api/refusals': Object.values(refusals).map(({ message }) => message),
  'web/features/account': [...rulesOf('shared/contract/account.ts'), notAnSez],
  'web/features/api-keys': rulesOf('shared/domain/api-key.ts'),
  'web/features/reference': countingRules.map(({ reason }) => reason),
  'web/states': placeOfSupplyCandidates().map(({ name }) => name),
  'web/features/support': rulesOf('shared/contract/support.ts'),
});
if (files.length === 0) faults.push('No files were found; the check looked in the wrong place.');
report(`texts of the pages: ${files.length} files`, faults);
