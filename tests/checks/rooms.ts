/** What one room (root folder) may use; whatever is not named here is forbidden. */
export interface Room {
  /** Rooms, or single files that a room opens to others. */
  imports: readonly string[];
  /** npm packages and `node:` modules; `any` where a process does input and output. A name that ends in * is a prefix. */
  packages: 'any' | readonly string[];
  /** Its folders, each with those of the others that it may use. Files beside the folders put them together: they may use all, and no folder them. */
  rooms?: Readonly<Record<string, readonly string[]>>;
}

/** Test files may use these on top, in every room: a real database, and the other side of the wire. */
export const testPackages = ['vitest', 'fast-check', 'node:*', 'esbuild', 'react-dom/server'];
export const testImports = ['catalog/public-openapi.ts', 'shared/database/test-database.ts', 'standins'];

/**
 * Who may import whom. Arrows only point down: rules know nothing of storage, storage nothing of features, the two
 * products nothing of the portal that sells them, the pages nothing of the server.
 */
export const rooms: Readonly<Record<string, Room>> = {
  platform: { imports: [], packages: ['aws4fetch', 'zod', 'pino', 'prom-client', '@opentelemetry/*', 'node:*'] },
  domain: { imports: [], packages: ['node:crypto'] },
  contract: { imports: ['domain'], packages: ['zod'] },
  policies: { imports: ['contract'], packages: [] },
  catalog: {
    imports: ['domain', 'platform'],
    packages: [
      'image-size',
      'openapi-sampler',
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
  database: { imports: ['domain', 'platform'], packages: ['pg', 'kysely', 'zod', 'node:*', 'vitest', 'vitest/node'] },
  paper: { imports: ['domain', 'platform'], packages: 'any' },
  server: {
    imports: ['catalog', 'contract', 'database', 'domain', 'paper', 'platform', 'policies'],
    packages: 'any',
  },
  gateway: {
    imports: ['catalog', 'database', 'domain', 'platform'],
    packages: 'any',
    rooms: {
      node: [],
      http: ['node'],
      journal: [],
      'request-log': [],
      quota: ['journal'],
      access: ['http', 'quota'],
      upstream: ['http', 'node'],
      metrics: ['http', 'journal', 'quota', 'request-log', 'upstream'],
      calls: ['access', 'http', 'journal', 'quota', 'request-log', 'upstream'],
      test: ['access', 'calls', 'http', 'journal', 'quota', 'request-log', 'upstream'],
    },
  },
  products: {
    imports: ['shared/database/clients.ts', 'shared/database/migrate.ts', 'shared/database/process-name.ts', 'domain', 'paper', 'platform'],
    packages: 'any',
  },
  standins: { imports: [], packages: 'any' },
  web: {
    imports: ['contract', 'domain'],
    packages: [
      '@fontsource-variable/*',
      '@lingui/core',
      '@mantine/*',
      '@tanstack/react-query',
      'dayjs*',
      'eventsource-parser',
      'lucide-react',
      'markdown-to-jsx/react',
      'openapi-sampler',
      'react',
      'react-dom',
      'react-dom/client',
      'react-router',
      'recharts',
      'zod',
    ],
  },
  launch: {
    imports: [
      'backup/config.ts',
      'database',
      'platform',
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
      'contract',
      'database',
      'doctor',
      'domain',
      'gateway/settle-journal.ts',
      'ship/launch/node-version.mjs',
      'ship/launch/parts.ts',
      'ship/launch/progress.mjs',
      'ship/launch/rehearsal/ports.ts',
      'ship/launch/settings.ts',
      'platform',
      'policies',
      'products/config.ts',
      'products/tax-lookup/official-import.ts',
      'products/tax-lookup/official-list.ts',
      'server',
    ],
    packages: 'any',
  },
  backup: { imports: ['contract', 'database', 'domain', 'platform', 'server'], packages: 'any' },
  doctor: {
    imports: [
      'backup',
      'catalog',
      'contract',
      'database',
      'domain',
      'gateway/config.ts',
      'gateway/node/shortcut.ts',
      'gateway/node/shortcuts.ts',
      'gateway/upstream/upstream-options.ts',
      'ship/launch/node-version.mjs',
      'ship/launch/parts.ts',
      'ship/launch/processes.ts',
      'ship/launch/settings.ts',
      'shared/paper/fonts.ts',
      'platform',
      'server',
    ],
    packages: 'any',
  },
  demo: { imports: ['contract', 'database', 'domain', 'platform'], packages: 'any' },
  // Neither the rules nor the server: the audit works everything out again, so that the two can disagree.
  audit: {
    imports: [
      'contract',
      'shared/database/clients.ts',
      'shared/database/embedded.ts',
      'shared/database/migrate.ts',
      'shared/database/value-parsers.ts',
      'ship/demo/portal-customer.ts',
      'ship/launch/build.mjs',
      'ship/launch/child.ts',
      'ship/launch/processes.ts',
      'ship/launch/read-launch.ts',
      'platform',
    ],
    packages: 'any',
  },
  e2e: {
    imports: [
      'contract',
      'shared/database/embedded.ts',
      'shared/database/test-day.ts',
      'shared/database/test-folder.ts',
      'demo',
      'ship/launch/chromium.mjs',
      'shared/platform/free-ports.ts',
      'shared/platform/test-patience.ts',
    ],
    packages: 'any',
  },
  checks: {
    imports: [
      'catalog',
      'cli/octroi.ts',
      'contract',
      'database',
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
      'platform',
    ],
    packages: 'any',
  },
  // Tests of the whole: they may look into the gateway and the APIs, which nothing else may do together.
  acceptance: {
    imports: [
      'catalog',
      'cli',
      'contract',
      'database',
      'ship/demo/portal-customer.ts',
      'domain',
      'gateway',
      'ship/launch/build.mjs',
      'ship/launch/rehearsal/ports.ts',
      'ship/launch/test-programs.ts',
      'platform',
      'products',
      'server',
    ],
    packages: 'any',
  },
  bench: {
    imports: ['catalog', 'contract', 'database', 'domain', 'gateway', 'paper', 'platform', 'products', 'server'],
    packages: 'any',
  },
};

/** Settings of tools, which have to lie where the tool looks for them; they are not part of a room. */
export const toolSettings = /(^|\/)(vite|vitest|vitest\.long|playwright)\.config\.ts$|^web\/vite\//;

/** Names that say nothing of what is inside. */
export const emptyNames = ['utils', 'helpers', 'common', 'lib', 'misc', 'types', 'services'];

export const maxLines = 300;

/** Written by programs; nobody edits them, and a check compares them with what they are made from. */
export const generatedFiles = ['shared/database/tables.ts'];
