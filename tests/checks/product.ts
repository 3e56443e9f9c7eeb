import { existsSync, readFileSync } from 'node:fs';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { markFaults, readRules, ruleFaults } from './product-rules.ts';
import { report } from './report.ts';
import { repositoryFiles } from './repository-files.ts';

/** Every rule of docs/product.md names tests that exist, and every mark in the repository points to a rule. */
const rules = readRules(readFileSync(projectFolder('docs', 'product.md'), 'utf8'));
const read = (file: string) =>
  existsSync(projectFolder(file)) ? readFileSync(projectFolder(file), 'utf8') : undefined;

// The check's own test contains bad ones.
const spelledOut = new Set(['docs/product.md', 'tests/checks/product.test.ts']);
const marked = repositoryFiles().filter(
  (file) => /\.(?:tsx?|mjs|md|sql|yaml|typ)$/.test(file) && !spelledOut.has(file),
);
const marks = marked.flatMap((file) => markFaults(file, read(file) ?? '', rules));
report(`product: ${rules.length} rules, ${marked.length} files`, [...ruleFaults(rules, read), ...marks]);
