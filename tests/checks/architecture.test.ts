import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { allRules } from './architecture-rules.ts';
import { editedMigrations } from './migrations.ts';
import { readModule, readModules } from './modules.ts';

/** A small house in which everything is in order. */
const soundHouse: Record<string, string> = {
  'shared/domain/money.ts': `export const paise = 1;`,
  'shared/contract/keys.ts': `import { paise } from '#shared/domain/money.ts'; import { z } from 'zod'; export const keys = z.literal(paise);`,
  'shared/database/connect.ts': `import { DatabaseError, type Pool } from 'pg'; export const connect: Pool = DatabaseError;`,
  'shared/database/clients.ts': `import { Pool } from 'pg'; export const openPool = () => new Pool();`,
  'server/app.ts': `import { routes } from '#server/features/keys/routes.ts'; export const app = routes;`,
  'server/portal.ts': `import { refuse } from '#server/refusals/refuse.ts'; export const portal = refuse;`,
  'server/refusals/refuse.ts': `export const refuse = 1;`,
  'server/features/keys/routes.ts': `import { keys } from './keys.ts'; export const routes = keys;`,
  'server/features/keys/keys.ts': `import { store } from './store.ts'; export const keys = store;`,
  'server/features/keys/keys.test.ts': `import { app } from '#server/app.ts'; import { usage } from '#server/features/usage/usage.ts'; export const all = [app, usage];`,
  'server/features/keys/store.ts': `import { connect } from '#shared/database/connect.ts'; export const store = connect;`,
  'server/features/usage/usage.ts': `import { keys } from '#server/features/keys/keys.ts'; export const usage = keys;`,
  'gateway/gateway.ts': `import { desk } from '#gateway/quota/desk.ts'; export const gateway = desk;`,
  'gateway/quota/desk.ts': `import { journal } from '#gateway/journal/journal.ts'; export const desk = journal;`,
  'gateway/quota/desk.test.ts': `import { gateway } from '#gateway/gateway.ts'; export const tested = gateway;`,
  'gateway/journal/journal.ts': `export const journal = 1;`,
  'web/ui/button.tsx': `import 'react'; export const button = 1;`,
};

function faultsIn(house: Record<string, string>): Record<string, string[]> {
  const modules = Object.entries(house).map(([path, text]) => readModule(path, text));
  const found = Object.entries(allRules).map(([name, rule]) => [name, rule(modules)] as const);
  return Object.fromEntries(found.filter(([, faults]) => faults.length > 0));
}

test('a sound house has no fault', () => {
  expect(faultsIn(soundHouse)).toEqual({});
});

/** Each plants one fault, as a file that is added or replaced, and names the rule that must see it. */
const plants: [rule: string, what: string, path: string, text: string][] = [
  [
    'connectionsHaveListeners',
    'a pool without an error listener',
    'server/jobs/pool.ts',
    `import { Pool } from 'pg'; export const pool = new Pool();`,
  ],
  [
    'connectionsHaveListeners',
    'all of pg under one name',
    'shared/database/all.ts',
    `import pg from 'pg'; export const client = new pg.Client();`,
  ],
  ['everyModuleParses', 'a syntax error', 'shared/domain/money.ts', 'export const = 1;'],
  [
    'roomsAreRespected',
    'an arrow that points up',
    'shared/domain/money.ts',
    `import { c } from '#shared/contract/keys.ts'; export const a = c;`,
  ],
  [
    'roomsAreRespected',
    'a type taken from above',
    'shared/domain/money.ts',
    `import type { C } from '#shared/contract/keys.ts'; export type A = C;`,
  ],
  [
    'roomsAreRespected',
    'a type taken from above in passing',
    'shared/domain/money.ts',
    `export type A = import('#shared/contract/keys.ts').C;`,
  ],
  [
    'roomsAreRespected',
    'an import at run time',
    'shared/domain/money.ts',
    `export const a = await import('#shared/contract/keys.ts');`,
  ],
  [
    'roomsAreRespected',
    'something passed on',
    'shared/domain/money.ts',
    `export const x = 1; export { keys } from '#shared/contract/keys.ts';`,
  ],
  ['roomsAreRespected', 'a page that reads the database', 'web/ui/button.tsx', `import '#shared/database/connect.ts';`],
  ['roomsAreRespected', 'a folder that is not in the table', 'attic/old.ts', `import '#shared/domain/money.ts';`],
  [
    'subRoomsAreRespected',
    'an arrow up between the folders of a room',
    'gateway/journal/journal.ts',
    `import type { Desk } from '#gateway/quota/desk.ts'; export type A = Desk;`,
  ],
  [
    'subRoomsAreRespected',
    'a folder that knows what puts it together',
    'gateway/journal/lines.ts',
    `import '#gateway/gateway.ts';`,
  ],
  [
    'subRoomsAreRespected',
    'a folder that the table of its room does not name',
    'gateway/attic/old.ts',
    `import '#gateway/journal/journal.ts';`,
  ],
  ['testCodeStaysInTests', 'a helper of tests in the product', 'server/app.ts', `import './test-portal.ts';`],
  ['packagesAreAllowed', 'a rule that does input and output', 'shared/domain/money.ts', `import 'node:fs';`],
  ['packagesAreAllowed', 'a page with a server package', 'web/ui/button.tsx', `import 'pg';`],
  [
    'importsAreAbsolute',
    'a climb to the parent folder',
    'server/features/keys/store.ts',
    `import '../usage/usage.ts';`,
  ],
  ['importsAreAbsolute', 'a file that is not there', 'server/app.ts', `import '#server/gone.ts';`],
  ['featuresHaveDoors', 'a store that knows its noun', 'server/features/keys/store.ts', `import './keys.ts';`],
  ['featuresHaveDoors', 'a noun that knows its routes', 'server/features/usage/usage.ts', `import './routes.ts';`],
  [
    'featuresHaveDoors',
    'a way round the door',
    'server/features/usage/usage.ts',
    `import '#server/features/keys/store.ts';`,
  ],
  [
    'foundationsKnowNoFeature',
    'a foundation that knows a feature',
    'server/refusals/refuse.ts',
    `import '#server/features/keys/keys.ts';`,
  ],
  [
    'foundationsKnowNoFeature',
    'a button that knows a feature',
    'web/ui/button.tsx',
    `import '#web/features/keys/keys.ts';`,
  ],
  ['noCycles', 'a circle', 'server/features/keys/store.ts', `import '#server/features/usage/usage.ts';`],
  [
    'noCycles',
    'a circle of types',
    'server/features/keys/store.ts',
    `import type { A } from '#server/features/usage/usage.ts';`,
  ],
  [
    'noFolderCycles',
    'a circle between folders',
    'server/features/keys/routes.ts',
    `import '#server/features/usage/usage.ts'; export const routes = 1;`,
  ],
  [
    'noFolderCycles',
    'a circle of types between folders',
    'server/features/keys/routes.ts',
    `import type { A } from '#server/features/usage/usage.ts'; export const routes = 1;`,
  ],
  [
    'noFolderCycles',
    'a circle between a folder and a file beside it',
    'server/refusals/streams.ts',
    `import type { P } from '#server/portal.ts';`,
  ],
  [
    'noFolderCycles',
    'a circle between rooms',
    'shared/domain/days.ts',
    `import type { K } from '#shared/contract/keys.ts';`,
  ],
  ['namesSaySomething', 'an empty folder name', 'server/utils/dates.ts', `export const a = 1;`],
  ['namesSaySomething', 'an empty file name', 'shared/domain/helpers.test.ts', `export const a = 1;`],
  ['namesAreKebabCase', 'a name in camel case', 'shared/domain/moneyBag.ts', `export const a = 1;`],
  ['filesAreShort', 'a long file', 'shared/domain/money.ts', 'export {};\n'.repeat(301)],
  [
    'nothingIsSilenced',
    'a silenced type error',
    'shared/domain/money.ts',
    '// @ts-expect-error: later\nexport const a = 1;',
  ],
  [
    'nothingIsSilenced',
    'a silenced lint rule',
    'shared/domain/money.ts',
    '/* oxlint-disable no-console */ export const a = 1;',
  ],
  ['noAny', 'the type any', 'shared/domain/money.ts', 'export const a = (b: any[]) => b;'],
  [
    'undocumentedNamesHaveOnePlace',
    'a property that Node does not document',
    'gateway/gateway.ts',
    `export const sending = (socket: object): unknown => Reflect.get(socket, '_httpMessage');`,
  ],
  [
    'undocumentedNamesHaveOnePlace',
    'a method that Node does not document',
    'shared/platform/drain.ts',
    `export const drain = (req: { _dump: () => void }): void => req._dump();`,
  ],
  [
    'responsesAreBounded',
    'a response that is read without a bound',
    'server/auth/keys.ts',
    `export const keys = async (url: string): Promise<unknown> => (await fetch(url)).json();`,
  ],
  ['noBarrels', 'a barrel', 'server/features/keys/keys.ts', `export * from './store.ts';`],
];

test.each(plants)('%s sees %s', (rule, _what, path, text) => {
  expect(Object.keys(faultsIn({ ...soundHouse, [path]: text }))).toContain(rule);
});

test.each(plants.filter(([rule]) => rule === 'noFolderCycles'))(
  'for %s, %s needs no circle between files',
  (...plant) => {
    const [, , path, text] = plant;
    expect(Object.keys(faultsIn({ ...soundHouse, [path]: text }))).not.toContain('noCycles');
  },
);

test('a check that reads nothing says so', () => {
  expect(Object.keys(faultsIn({}))).toEqual(['somethingWasRead']);
});

test('every rule has a plant', () => {
  expect(new Set([...plants.map(([rule]) => rule), 'somethingWasRead'])).toEqual(new Set(Object.keys(allRules)));
});

test('words in comments and texts are not imports', () => {
  const { imports, anys } = readModule('shared/domain/a.ts', `// import 'pg'\nexport const a = "import 'pg' as any";`);
  expect({ imports, anys }).toEqual({ imports: [], anys: 0 });
});

test('the house itself is read whole', () => {
  const paths = readModules(projectFolder()).map(({ path }) => path);
  expect(paths).toContain('tests/checks/architecture.test.ts');
  expect(paths).toContain('ship/launch/start.mjs');
  expect(paths.filter((path) => path.includes('node_modules'))).toEqual([]);
});

test('a migration of a release may be neither edited nor removed, and new ones may be added', () => {
  const root = mkdtempSync(join(tmpdir(), 'migrations-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], {
      cwd: root,
      stdio: 'ignore',
    });
  const write = (name: string, sql: string) => writeFileSync(join(root, 'shared', 'database', 'changes', name), sql);
  mkdirSync(join(root, 'shared', 'database', 'changes'), { recursive: true });
  git('init');
  write('001-a.sql', 'select 1');
  git('add', '.');
  git('commit', '-m', 'first');
  write('001-a.sql', 'select 2');
  expect(editedMigrations(root)).toEqual([]);
  git('commit', '-am', 'second');
  git('tag', 'v1.0.0');
  write('002-b.sql', 'select 3');
  git('add', '.');
  git('commit', '-m', 'third');
  expect(editedMigrations(root)).toEqual([]);
  write('001-a.sql', 'select 4');
  expect(editedMigrations(root)).toEqual([
    expect.stringContaining('shared/database/changes/001-a.sql belongs to the release v1.0.0'),
  ]);
  rmSync(root, { recursive: true });
});
