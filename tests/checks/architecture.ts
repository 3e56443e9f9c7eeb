import { projectFolder } from '#shared/platform/project-folder.ts';
import { allRules } from './architecture-rules.ts';
import { readMigrations } from '#shared/database/migrate.ts';
import { ruleFaults } from '#shared/database/expand-contract.ts';
import { editedMigrations } from './migrations.ts';
import { readModules } from './modules.ts';
import { report } from './report.ts';

const root = projectFolder();
const modules = readModules(root);
const faults = [
  ...Object.values(allRules).flatMap((rule) => rule(modules)),
  ...editedMigrations(root),
  ...ruleFaults(readMigrations()),
];
report(`architecture: ${modules.length} modules, ${Object.keys(allRules).length + 1} rules`, faults);
