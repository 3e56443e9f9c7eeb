/** Folders of the root that only group rooms. */
const groups = new Set(['shared', 'ship', 'tests']);

const roomsInRooms = ['web/console', 'web/public-pages'];

/** The room that a path lies in: `server`, `shared/domain`; '' for a file of the root. */
export function roomOf(path: string): string {
  const parts = path.split('/');
  const depth = groups.has(parts[0] ?? '') || roomsInRooms.some((room) => path.startsWith(`${room}/`)) ? 2 : 1;
  return parts.length > depth ? parts.slice(0, depth).join('/') : '';
}

/** What one room may use; whatever is not named here is forbidden. */
export interface Room {
  /** Rooms, or folders and single files that a room opens to others. */
  imports: readonly string[];
  /** npm packages and `node:` modules; `any` where a process does input and output. A name that ends in * is a prefix. */
  packages: 'any' | readonly string[];
  /** Its folders, each with those of the others that it may use. Files beside the folders put them together: they may use all, and no folder them. */
  rooms?: Readonly<Record<string, readonly string[]>>;
}

/** Test files may use these on top, in every room: a real database, and the other side of the wire. */
export const testPackages = ['vitest', 'fast-check', 'node:*', 'esbuild', 'react-dom/server'];
export const testImports = [
  'catalog/public-openapi.ts',
  'shared/database/test-database.ts',
  'ship/standins',
  'ship/launch/clickhouse.mjs',
];

/** What every process is made with. */
const ofProcesses = ['shared/database', 'shared/domain', 'shared/platform'];

/** What both entries of pages are made with. */
const ofPages = [
  '@fontsource-variable/*',
  '@mantine/*',
  '@tanstack/react-query',
  'lucide-react',
  'react',
  'react-dom/client',
  'react-router',
  'zod',
];

/**
 * Who may import whom. Arrows only point down: rules know nothing of storage, storage nothing of features, the two
 * products nothing of the portal that sells them, the pages nothing of the server.
 */
export const rooms: Readonly<Record<string, Room>> = {
  'shared/platform': {
    imports: [],
    packages: ['aws4fetch', 'zod', 'pino', 'prom-client', '@opentelemetry/*', 'node:*'],
  },
  'shared/domain': { imports: [], packages: ['node:crypto', 'openapi-sampler'] },
  'shared/contract': { imports: ['shared/domain'], packages: ['zod'] },
  'shared/policies': { imports: ['shared/contract', 'shared/domain'], packages: [] },
  catalog: {
    imports: ['shared/domain', 'shared/platform'],
    packages: [
      'image-size',
      'sanitize-html',
      'yaml',
      'zod',
      'node:crypto',
      'node:fs',
      'node:os',
      'node:path',
      'node:util',
    ],
  },
  'shared/database': {
    imports: ['shared/domain', 'shared/platform'],
    packages: ['pg', 'kysely', 'zod', 'node:*', 'vitest', 'vitest/node'],
  },
  'shared/request-log': {
    imports: ofProcesses,
    packages: ['@clickhouse/client', 'kysely', 'pg', 'zod', 'node:*', 'fast-check', 'vitest'],
  },
  'shared/paper': { imports: ['shared/domain', 'shared/platform'], packages: 'any' },
  server: {
    imports: ['catalog', 'shared/contract', ...ofProcesses, 'shared/paper', 'shared/policies', 'shared/request-log'],
    packages: 'any',
  },
  gateway: {
    imports: ['catalog', 'shared/contract/described-events.ts', ...ofProcesses, 'shared/request-log'],
    packages: 'any',
    rooms: {
      node: [],
      http: ['node'],
      journal: [],
      'request-log': [],
      quota: ['journal'],
      access: ['http', 'journal', 'quota'],
      upstream: ['http', 'node'],
      metrics: ['http', 'journal', 'quota', 'request-log', 'upstream'],
      calls: ['access', 'http', 'journal', 'quota', 'request-log', 'upstream'],
      test: ['access', 'calls', 'http', 'journal', 'quota', 'request-log', 'upstream'],
    },
  },
  products: {
    imports: [
      ...['clients', 'migrate', 'process-name'].map((file) => `shared/database/${file}.ts`),
      'shared/domain',
      'shared/paper',
      'shared/platform',
    ],
    packages: 'any',
  },
  'ship/standins': { imports: [], packages: 'any' },
  web: {
    // Of the policies: who of a customer's members may what.
    imports: ['shared/contract', 'shared/domain', 'shared/policies/members'],
    packages: [
      ...ofPages,
      '@lingui/core',
      'dayjs*',
      'eventsource-parser',
      'markdown-to-jsx/react',
      'preact',
      'preact/compat',
      'react-dom',
      'react-dom/server',
      'recharts',
    ],
  },
  'web/public-pages': { imports: ['shared/contract', 'shared/domain', 'web'], packages: 'any' },
  // Another entry than the portal's: what it shares with the customers' pages are these folders, and those import nothing of it.
  'web/console': {
    imports: [
      'shared/contract',
      'shared/domain',
      'shared/policies',
      'web/api',
      'web/forms',
      'web/session/storage.ts',
      'web/sign-in',
      'web/ui',
    ],
    packages: ofPages,
  },
  'ship/launch': {
    imports: [
      'backup/config.ts',
      'shared/database',
      'shared/platform',
      'gateway/config.ts',
      'products/config.ts',
      'server/config.ts',
    ],
    packages: 'any',
  },
  cli: {
    imports: [
      'backup',
      'catalog',
      'shared/contract',
      ...ofProcesses,
      'doctor',
      'gateway/settle-journal.ts',
      'ship/launch/node-version.mjs',
      'ship/launch/parts.ts',
      'ship/launch/progress.mjs',
      'ship/launch/rehearsal/ports.ts',
      'ship/launch/settings.ts',
      'shared/policies',
      'products/config.ts',
      'products/tax-lookup/official-import.ts',
      'products/tax-lookup/official-list.ts',
      'server',
    ],
    packages: 'any',
  },
  backup: {
    imports: ['shared/contract', 'shared/database', 'shared/domain', 'shared/platform', 'server'],
    packages: 'any',
  },
  doctor: {
    imports: [
      'backup',
      'catalog',
      'shared/contract',
      'shared/database',
      'shared/domain',
      'gateway/config.ts',
      'gateway/node/shortcut.ts',
      'gateway/node/shortcuts.ts',
      'gateway/upstream/upstream-options.ts',
      'ship/launch/node-version.mjs',
      'ship/launch/parts.ts',
      'ship/launch/processes.ts',
      'ship/launch/settings.ts',
      'shared/paper/fonts.ts',
      'shared/platform',
      'server',
    ],
    packages: 'any',
  },
  'ship/deploy': { imports: [], packages: [] },
  'ship/demo': { imports: ['shared/contract', 'shared/database', 'shared/domain', 'shared/platform'], packages: 'any' },
  // Neither the rules nor the server: the audit works everything out again, so that the two can disagree.
  'tests/audit': {
    imports: [
      'shared/contract',
      'shared/database/clients.ts',
      'shared/database/embedded.ts',
      'shared/database/migrate.ts',
      'shared/database/value-parsers.ts',
      'ship/demo/portal-customer.ts',
      'ship/launch/build.mjs',
      'ship/launch/child.ts',
      'ship/launch/processes.ts',
      'ship/launch/read-launch.ts',
      'shared/platform',
    ],
    packages: 'any',
  },
  'tests/e2e': {
    imports: [
      'shared/contract',
      'shared/database/embedded.ts',
      'shared/database/test-day.ts',
      'shared/database/test-folder.ts',
      'ship/demo',
      'ship/launch/chromium.mjs',
      'ship/launch/install.mjs',
      'shared/platform/free-ports.ts',
      'shared/platform/test-patience.ts',
    ],
    packages: 'any',
  },
  'tests/checks': {
    imports: [
      'catalog',
      'cli/octroi.ts',
      'shared/contract',
      'shared/database',
      'shared/domain/group-by.ts',
      'shared/domain/metering.ts',
      'shared/domain/states.ts',
      'ship/launch/build.mjs',
      'ship/launch/chromium.mjs',
      'ship/launch/install.mjs',
      'ship/launch/node-version.mjs',
      'ship/launch/parts.ts',
      'ship/launch/progress.mjs',
      'ship/launch/settings.ts',
      'shared/paper/fonts.ts',
      'shared/platform',
    ],
    packages: 'any',
  },
  // Tests of the whole: they may look into the gateway and the APIs, which nothing else may do together.
  'tests/acceptance': {
    imports: [
      'catalog',
      'cli',
      'shared/contract',
      'shared/database',
      'ship/demo/portal-customer.ts',
      'shared/domain',
      'gateway',
      'ship/launch/build.mjs',
      'ship/launch/rehearsal/ports.ts',
      'ship/launch/test-programs.ts',
      'shared/platform',
      'products',
      'server',
    ],
    packages: 'any',
  },
  'tests/bench': {
    imports: [
      'catalog',
      'shared/contract',
      'shared/database',
      'shared/domain',
      'gateway',
      'shared/paper',
      'shared/platform',
      'products',
      'server',
      'shared/request-log',
      'ship/launch/clickhouse.mjs',
      'ship/standins/clickhouse',
    ],
    packages: 'any',
  },
};

/** Settings of tools, where each tool looks for them; no part of a room. */
export const toolSettings = /(^|\/)(vite|vitest|vitest\.long|playwright)\.config\.ts$|^web\/vite\//;

/** Names that say nothing of what is inside. */
export const emptyNames = ['utils', 'helpers', 'common', 'lib', 'misc', 'types', 'services'];

export const maxLines = 300;
/** Written by programs; nobody edits them, and a check compares them with what they are made from. */
export const generatedFiles = ['shared/database/tables.ts'];
