import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { readSheets, styleFaults } from './mantine-styles-rules.ts';
import { readModule } from './modules.ts';

const sheetsOf = readSheets(projectFolder('node_modules'));
const core = (name: string) => `@mantine/core/styles/${name}.layer.css`;

/** A small site without errors. */
const soundSite: Record<string, string> = {
  'web/ui/styles.ts': ['baseline', 'UnstyledButton', 'Loader', 'Button', 'InlineInput', 'Input', 'Checkbox']
    .map(core)
    .map((sheet) => `import '${sheet}';`)
    .join('\n'),
  'web/ui/save.tsx': `import { Button } from '@mantine/core'; export const Save = () => <Button />;`,
  'web/ui/choice.tsx': `import { Checkbox } from '@mantine/core'; export const Choice = () => <Checkbox.Group><Checkbox /></Checkbox.Group>;`,
};

function faultsIn(site: Record<string, string>): string[] {
  const modules = Object.entries(site).map(([path, text]) => ({ ...readModule(path, text), text }));
  return styleFaults(modules, 'web/ui/styles.ts', sheetsOf);
}

test('accepts a site whose components have their sheets', () => {
  expect(faultsIn(soundSite)).toEqual([]);
});

test.each([
  [
    'a component without its sheet',
    { 'web/ui/tag.tsx': `import { Badge } from '@mantine/core'; export const Tag = Badge;` },
    `web/ui/tag.tsx uses Badge without ${core('Badge')}.`,
  ],
  [
    'a part of a component without the part’s sheet',
    { 'web/ui/styles.ts': String(soundSite['web/ui/styles.ts']).replace(`import '${core('Loader')}';`, '') },
    `web/ui/save.tsx uses Button without ${core('Loader')}.`,
  ],
  [
    'a member without its sheet',
    {
      'web/ui/card.tsx': `import { Checkbox } from '@mantine/core'; export const Card = () => <Checkbox.Card />;`,
    },
    `web/ui/card.tsx uses Checkbox without ${core('CheckboxCard')}.`,
  ],
  [
    'a component of another package',
    { 'web/ui/chart.tsx': `import { LineChart } from '@mantine/charts'; export const Chart = LineChart;` },
    'web/ui/chart.tsx uses LineChart without @mantine/charts/styles.layer.css.',
  ],
  [
    'a component that is loaded later',
    { 'web/ui/palette.ts': `export const load = () => import('@mantine/spotlight');` },
    'web/ui/palette.ts uses * without @mantine/spotlight/styles.layer.css.',
  ],
  [
    'a sheet that only another page loads',
    {
      'web/ui/badge-styles.ts': `import '${core('Badge')}';`,
      'web/ui/tag.tsx': `import { Badge } from '@mantine/core'; export const Tag = Badge;`,
    },
    `web/ui/tag.tsx uses Badge without ${core('Badge')}.`,
  ],
  [
    'a sheet that nothing needs',
    { 'web/ui/tree.ts': `import '${core('Tree')}';` },
    `web/ui/tree.ts imports ${core('Tree')}, which no component in use needs.`,
  ],
])('finds %s', (_, planted, fault) => {
  expect(faultsIn({ ...soundSite, ...planted })).toContain(fault);
});

test('a sheet that the module or one of its imports loads is enough', () => {
  const tag = `import './badge-styles.ts'; import { Badge } from '@mantine/core'; export const Tag = Badge;`;
  const site = { ...soundSite, 'web/ui/badge-styles.ts': `import '${core('Badge')}';`, 'web/ui/tag.tsx': tag };
  expect(faultsIn(site)).toEqual([]);
});
