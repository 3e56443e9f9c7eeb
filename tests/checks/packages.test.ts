import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { readCatalog, readCatalogFiles } from '#catalog/catalog-files.ts';
import { type Part, partList } from '#ship/launch/parts.ts';
import { allSettings } from '#ship/launch/settings.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { aboutSetting, envName } from '#shared/platform/read-config.ts';
import { commands } from '#cli/octroi.ts';

const files = ['docker', 'kubernetes', 'systemd', 'nginx'].flatMap((folder) =>
  readdirSync(projectFolder('ship', 'deploy', folder)).map((name) => {
    const path = join('ship', 'deploy', folder, name);
    return { path, text: readFileSync(projectFolder(path), 'utf8') };
  }),
);

/** Names that the packages set, and that belong to others: PostgreSQL’s image. */
const foreign = /^POSTGRES_/;
const settings = new Set([...allSettings().keys()].map(envName));

/** The words after the program's name in unit files, images, compose files and manifests, where tar unpacks the catalogue. */
const started = (text: string): string[] =>
  [...text.matchAll(/(?:build\/octroi\.js |\b(?:args|command): \[(?!tar,)|^CMD \[")([a-z-]+)/gm)].map(
    ([, name = '']) => name,
  );
const known = new Set(commands().map((command) => command.name()));

test.each(files)('$path starts only commands of octroi', ({ text }) => {
  expect(text).not.toMatch(/build\/(?!octroi\.js)[a-z-]+\.js/);
  expect(started(text).filter((name) => !known.has(name))).toEqual([]);
});

test.each(['docker', 'kubernetes', 'systemd'])('ship/deploy/%s starts every part', (folder) => {
  const names = files
    .filter(({ path }) => path.startsWith(`ship/deploy/${folder}/`))
    .flatMap(({ text }) => started(text));
  for (const { name } of partList) expect(names).toContain(name);
});

const portOf = ({ settings }: Part, setting: string) => aboutSetting(settings.shape[setting] ?? settings).default;

const textOf = (name: string) => files.find(({ path }) => path.endsWith(name))?.text ?? '';
const manifests = textOf('octroi.yaml').split('\n---');

test.each(partList)('containers and Kubernetes ask the $name whether it is ready', (part) => {
  const [{ setting, healthPath } = { setting: '', healthPath: '' }] = part.ports;
  expect(textOf('compose.yaml')).toContain(`http://127.0.0.1:${String(portOf(part, setting))}${healthPath}'`);
  const manifest = manifests.find((each) => started(each).includes(part.name)) ?? '';
  expect(manifest).toContain(`containerPort: ${String(portOf(part, setting))} `);
  expect(manifest).toContain(`readinessProbe: { httpGet: { path: ${healthPath},`);
});

test.each(files)('$path sets only settings that exist', ({ text }) => {
  const set = [
    ...text.matchAll(/^ {4}([A-Z][A-Z_]{3,}): /gm),
    ...text.matchAll(/\bname: ([A-Z][A-Z_]{3,}), value:/g),
    ...text.matchAll(/(?<=^(?:ENV|Environment=).*)\b([A-Z][A-Z_]{3,})=/gm),
  ].map(([, name = '']) => name);
  expect(set.filter((name) => !settings.has(name) && !foreign.test(name))).toEqual([]);
});

test('the files for Docker and Kubernetes are valid YAML', () => {
  const yaml = files.filter(({ path }) => path.endsWith('.yaml'));
  expect(yaml.length).toBeGreaterThan(2);
  for (const { text } of yaml)
    expect(parseAllDocuments(text, { merge: true }).flatMap(({ errors }) => errors)).toEqual([]);
});

test('the image copies only what the repository has or a build makes', () => {
  const dockerfile = files.find(({ path }) => path.endsWith('Dockerfile'))?.text ?? '';
  const copied = [...dockerfile.matchAll(/^COPY --from=build \/octroi\/(\S+)/gm)].map(([, path = '']) => path);
  expect(copied.length).toBeGreaterThan(5);
  const made = new Set(['node_modules', 'build']);
  expect(copied.filter((path) => !made.has(path) && !existsSync(projectFolder(path)))).toEqual([]);
});

test('the image has every folder that the programs read', () => {
  const dockerfile = files.find(({ path }) => path.endsWith('Dockerfile'))?.text ?? '';
  // `projectFolder('catalog')` and the like, in the rooms that run in production.
  const rooms = ['backup', 'catalog', 'cli', 'gateway', 'products', 'server', 'shared'];
  const sources = rooms.flatMap((room) =>
    readdirSync(projectFolder(room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/test|long/.test(name))
      .map((name) => readFileSync(projectFolder(room, name), 'utf8')),
  );
  const read = new Set(
    sources.flatMap((text) =>
      [...text.matchAll(/projectFolder\('([a-z-]+)'(?:, '([a-z-]+)')?/g)].map(([, folder = '', inside]) =>
        folder === 'shared' ? `shared/${inside}` : folder,
      ),
    ),
  );
  expect([...read].filter((folder) => !dockerfile.includes(`/octroi/${folder}`))).toEqual([]);
});

test('catalogue and brand lie outside the release in every package and every page', () => {
  const pages = readdirSync(projectFolder('docs', 'operating')).map((name) =>
    readFileSync(projectFolder('docs', 'operating', name), 'utf8'),
  );
  const named = [...files.map(({ text }) => text), ...pages].flatMap((text) => [
    ...text.matchAll(/\b(?:CATALOG_DIR|BRAND_DIR)=([^\s`'")]+)/g),
  ]);
  const folders = named.map(([, folder = '']) => folder);
  expect(folders.length).toBeGreaterThan(8);
  expect(folders.filter((folder) => !folder.startsWith('/etc/octroi/'))).toEqual([]);
  for (const unit of ['portal', 'gateway', 'backup'])
    expect(textOf(`octroi-${unit}.service`)).toContain(' CATALOG_DIR=/etc/octroi/catalog');
  expect(textOf('Dockerfile')).toMatch(/^ENV .* CATALOG_DIR=\/etc\/octroi\/catalog /m);
  const { services } = z
    .object({
      services: z.record(
        z.string(),
        z.object({ command: z.array(z.string()).default([]), volumes: z.array(z.string()).default([]) }),
      ),
    })
    .parse(parse(textOf('compose.yaml'), { merge: true }));
  const reading = Object.values(services).filter(({ command: [part = ''] }) =>
    ['portal', 'gateway', 'backup'].includes(part),
  );
  expect(reading).toHaveLength(5);
  for (const { volumes } of reading) expect(volumes).toContain('./own:/etc/octroi:ro');
  for (const part of ['portal', 'gateway'])
    expect(manifests.find((each) => started(each).includes(part))).toContain('mountPath: /etc/octroi/catalog }');
});

const installPage = readFileSync(projectFolder('docs', 'operating', 'install.md'), 'utf8');

/** A folder of a machine, with the release in `octroi`; it is removed with the test. */
function machine(): string {
  const folder = mkdtempSync(join(tmpdir(), 'octroi-install-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'octroi', 'ship', 'deploy', 'docker'), { recursive: true });
  symlinkSync(projectFolder('catalog'), join(folder, 'octroi', 'catalog'));
  return folder;
}

test('each copy of the catalogue on the page of installing has all of it, its guides too', () => {
  const copies = [...installPage.matchAll(/(?:install -d|mkdir -p) \S+ && cp [^`\n]+/g)].map(([words]) => words);
  expect(copies).toHaveLength(3);
  const shipped = readCatalog(projectFolder('catalog'));
  for (const words of copies) {
    const folder = machine();
    const isInContainers = words.includes('own/catalog');
    const cwd = join(folder, 'octroi', ...(isInContainers ? ['ship', 'deploy', 'docker'] : []));
    const here = words.replaceAll('/opt/octroi', join(folder, 'octroi')).replaceAll('/etc/octroi', join(folder, 'etc'));
    execFileSync('sh', ['-c', here], { cwd });
    const copy = readCatalog(isInContainers ? join(cwd, 'own', 'catalog') : join(folder, 'etc', 'catalog'));
    expect([words, copy.guides.length, copy.products.length]).toEqual([
      words,
      shipped.guides.length,
      shipped.products.length,
    ]);
  }
});

const podSchema = z.object({
  initContainers: z.array(z.object({ command: z.array(z.string()) })).default([]),
  volumes: z.array(z.object({ name: z.string() }).loose()).default([]),
});

test('on Kubernetes the catalogue comes whole, with its folders: each pod that reads it unpacks what the page packs', () => {
  const folder = machine();
  cpSync(projectFolder('catalog'), join(folder, 'catalog'), { recursive: true });
  mkdirSync(join(folder, 'catalog', 'icons'));
  writeFileSync(join(folder, 'catalog', 'icons', 'weather.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const [, pack = ''] = /`(tar --create [^`]+)`/.exec(installPage) ?? [];
  execFileSync('sh', ['-c', pack], { cwd: folder });
  expect(installPage).toContain('kubectl create configmap octroi-catalog --from-file=catalog.tgz');
  const readers = manifests
    .filter((text) => text.includes('CATALOG') || text.includes('/etc/octroi/catalog'))
    .map((text) => Object(parse(text)).spec)
    .map((spec) => podSchema.parse((spec.jobTemplate?.spec ?? spec).template.spec));
  expect(readers).toHaveLength(4);
  readers.forEach(({ initContainers: [unpack = { command: [] }], volumes }, index) => {
    const target = join(folder, `pod-${index}`);
    mkdirSync(target);
    const [program = '', ...words] = unpack.command.map((word) =>
      word.replace('/packed', folder).replace('/etc/octroi/catalog', target),
    );
    execFileSync(program, words);
    expect(readCatalogFiles(target)).toEqual(readCatalogFiles(join(folder, 'catalog')));
    expect(volumes).toContainEqual({ name: 'packed', configMap: { name: 'octroi-catalog' } });
  });
});

test('the image is built from the folder in which its Dockerfile looks', () => {
  const { 'x-octroi': octroi } = z
    .object({ 'x-octroi': z.object({ build: z.object({ context: z.string(), dockerfile: z.string() }) }) })
    .parse(parse(textOf('compose.yaml'), { merge: true }));
  const context = projectFolder('ship', 'deploy', 'docker', octroi.build.context);
  for (const path of [octroi.build.dockerfile, 'package-lock.json']) expect(existsSync(join(context, path))).toBe(true);
});
