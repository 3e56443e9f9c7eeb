import { compileMessage } from '@lingui/message-utils/compileMessage';
import react from '@vitejs/plugin-react';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Visitor, parseSync } from 'oxc-parser';
import { join } from 'node:path';
import { type Logger, type Plugin, defineConfig } from 'vite';
import { earlyPages } from './early-pages.ts';
import { writeBeforePage } from './vite/before-page-plugin.ts';
import { createFileOf } from './vite/chunks.ts';

const portalUrl = process.env['PORTAL_URL'] ?? 'http://localhost:4000';

/** The font of nearly every text: asked for with the page, not only once the styles have been read. */
const preloadedFont = /^assets\/geist-latin-wght-normal-.*\.woff2$/;

function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => preloadedFont.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

const needsCompiling = (message: unknown): message is string => typeof message === 'string' && /[{']/.test(message);

/**
 * Compiles the messages that have values, so that the page needs no parser of messages: those of texts.hi.ts in their place, those
 * of texts.ts as an entry of the English catalogue.
 */
function compileMessages(): Plugin {
  return {
    name: 'compile-messages',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!/texts(\.hi)?\.ts$/.test(id)) return undefined;
      const isHindi = id.endsWith('.hi.ts');
      const english: Record<string, unknown> = {};
      const found: { start: number; end: number; text: string }[] = [];
      const visitor = new Visitor({
        Property({ value }) {
          if (isHindi && value.type === 'Literal' && needsCompiling(value.value))
            found.push({ start: value.start, end: value.end, text: value.value });
        },
        CallExpression({ callee, arguments: [message] }) {
          if (isHindi || callee.type !== 'Identifier' || callee.name !== 't' || message?.type !== 'Literal') return;
          if (needsCompiling(message.value)) english[message.value] = compileMessage(message.value);
        },
      });
      visitor.visit(parseSync(id, code).program);
      if (isHindi) {
        // From the end, so that places before it stay where they are.
        const compiled = found.reduceRight(
          (rest, { start, end, text }) => rest.slice(0, start) + JSON.stringify(compileMessage(text)) + rest.slice(end),
          code,
        );
        return { code: compiled, map: null };
      }
      const load = "import { addCompiled } from '#web/language/language.ts';";
      return { code: `${code}\n${load}\naddCompiled(${JSON.stringify(english)});\n`, map: null };
    },
  };
}

const writesSchemas = /zod\/v4\/core\/(json-schema-processors|to-json-schema)\.js$/;

/** zod hangs a writer of JSON schemas on each schema. Only the server writes any; the pages get functions that do nothing. */
function leaveOutSchemaWriters(): Plugin {
  return {
    name: 'leave-out-schema-writers',
    apply: 'build',
    transform(code, id) {
      if (!writesSchemas.test(id)) return undefined;
      const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
      const idle = names.map((name) => `export const ${name} = () => () => undefined;`).join('\n');
      return { code: `${idle}\nconst process = () => undefined;\nexport { process };\n`, map: null };
    },
  };
}

/** What may be loaded before a page stands: compressed JavaScript, in bytes. */
const firstLoadLimit = 200_000;

/** The pages that people come in by. */
const firstPages = ['account/login-page.tsx', 'marketplace/marketplace-page.tsx'];

/** Prints what a first visit loads, in both languages; a page that loads more than the limit breaks the build. */
function firstLoad(): Plugin {
  let logger: Logger | undefined;
  return {
    name: 'first-load',
    apply: 'build',
    configResolved: (config) => {
      logger = config.logger;
    },
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
      const chunkOf = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
      const addAll = (name: string, found: Set<string>): Set<string> => {
        if (found.has(name)) return found;
        found.add(name);
        for (const each of chunkOf.get(name)?.imports ?? []) addAll(each, found);
        return found;
      };
      const entry = chunks.find((chunk) => chunk.isEntry);
      for (const page of firstPages) {
        const own = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(page));
        if (entry === undefined || own === undefined) throw new Error(`The build has no ${page}`);
        const english = addAll(own.fileName, addAll(entry.fileName, new Set()));
        const hindi = [...english]
          .flatMap((name) => chunkOf.get(name)?.dynamicImports ?? [])
          .filter((name) => chunkOf.get(name)?.facadeModuleId?.endsWith('texts.hi.ts'));
        for (const [language, names] of [
          ['English', english],
          ['Hindi', new Set([...english, ...hindi])],
        ] as const) {
          const bytes = [...names].reduce((sum, name) => sum + gzipSync(chunkOf.get(name)?.code ?? '').length, 0);
          const says = `${page} in ${language}: ${names.size} files, ${(bytes / 1000).toFixed(1)} KB of JavaScript`;
          if (bytes > firstLoadLimit) throw new Error(`${says}, more than ${firstLoadLimit / 1000} KB`);
          logger?.info(`first load of ${says}`);
        }
      }
    },
  };
}

const page = (path: string) => join(import.meta.dirname, path);

const mantineNotifications = fileURLToPath(import.meta.resolve('@mantine/notifications'));

const frameOf = createFileOf([{ file: 'frame', from: [page('main.tsx')] }]);
const sharedOf = createFileOf([
  { file: 'cards', from: firstPages.map((path) => page(`features/${path}`)) },
  { file: 'notices', from: [mantineNotifications] },
  { file: 'usage', from: [page('features/usage/api-page.tsx')] },
  {
    file: 'panels',
    from: [
      'api-keys/api-keys-panel.tsx',
      'invoices/history-panel.tsx',
      'usage/plan-panel.tsx',
      'usage/delete-panel.tsx',
    ].map((path) => page(`features/${path}`)),
  },
]);

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    react(),
    compileMessages(),
    leaveOutSchemaWriters(),
    preloadFont(),
    firstLoad(),
    writeBeforePage(earlyPages),
    {
      // While developing, the pages come from Vite; their configuration still comes from a running portal.
      name: 'config-of-a-running-portal',
      apply: 'serve',
      async transformIndexHtml(html) {
        const page = await (await fetch(`${portalUrl}/login`)).text();
        const config = /<script type="application\/json" id="portal-config">[\s\S]*?<\/script>/.exec(page)?.[0];
        return html.replace('<!--portal-config-->', config ?? '');
      },
    },
  ],
  server: { proxy: { '/backend': portalUrl } },
  build: {
    outDir: '../build/web',
    emptyOutDir: true,
    // Data addresses would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\//, priority: 3 },
            { name: frameOf, debugName: 'frame', priority: 2 },
            { name: sharedOf, debugName: 'shared', minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
});
