import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { programs } from '#launch/build.mjs';
import { allSettings } from '#launch/settings.ts';
import { projectFolder } from '#platform/project-folder.ts';
import { envName } from '#platform/read-config.ts';

const files = ['docker', 'kubernetes', 'systemd', 'nginx'].flatMap((folder) =>
  readdirSync(projectFolder('deploy', folder)).map((name) => {
    const path = join('deploy', folder, name);
    return { path, text: readFileSync(projectFolder(path), 'utf8') };
  }),
);

/** Names that the packages set, and that belong to others: PostgreSQL’s image. */
const foreign = /^POSTGRES_/;
const settings = new Set([...allSettings().keys()].map(envName));

test.each(files)('$path starts only programs that the build makes', ({ text }) => {
  const started = [...text.matchAll(/build\/([a-z-]+)\.js/g)].map(([, name]) => name);
  expect(started.filter((name) => name === undefined || !(name in programs))).toEqual([]);
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

test('the image has every folder that the programs read', () => {
  const dockerfile = files.find(({ path }) => path.endsWith('Dockerfile'))?.text ?? '';
  // `projectFolder('catalog')` and the like, in the rooms that run in production.
  const rooms = ['backup', 'catalog', 'cli', 'database', 'gateway', 'paper', 'platform', 'products', 'server'];
  const sources = rooms.flatMap((room) =>
    readdirSync(projectFolder(room), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/test|long/.test(name))
      .map((name) => readFileSync(projectFolder(room, name), 'utf8')),
  );
  const read = new Set(
    sources.flatMap((text) => [...text.matchAll(/projectFolder\('([a-z-]+)'/g)].map(([, folder = '']) => folder)),
  );
  expect([...read].filter((folder) => !dockerfile.includes(`/octroi/${folder}`))).toEqual([]);
});
