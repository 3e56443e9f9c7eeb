import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '#shared/platform/project-folder.ts';

/** A command in the documentation. */
export interface DocumentedCommand {
  /** `docs/operating/backups.md:8` */
  place: string;
  /** As it is written, without its comment. */
  text: string;
}

/** What a command line begins with, after settings such as `DATA_DIR=/srv/octroi`. */
const programs =
  'octroi npm npx node docker kubectl systemctl gh psql cp ln sha256sum tar useradd journalctl nginx certbot sh'.split(
    ' ',
  );
const commandLine = new RegExp(String.raw`^(?:[A-Z][A-Z_]*=\S+ )*(?:${programs.join('|')}) \S`);

const documents = (): string[] => [
  'README.md',
  ...readdirSync(projectFolder('docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .toSorted(),
];

/** Every command in README.md and docs/: lines of shell blocks and indented blocks, and code spans. */
export const documentedCommands = (): DocumentedCommand[] =>
  documents().flatMap((path) => commandsIn(path, readFileSync(projectFolder(path), 'utf8')));

export function commandsIn(path: string, markdown: string): DocumentedCommand[] {
  let fence: string | undefined;
  return markdown.split('\n').flatMap((line, index): DocumentedCommand[] => {
    const [, mark] = /^\s*```(\w*)/.exec(line) ?? [];
    if (mark !== undefined) fence = fence === undefined ? mark : undefined;
    const isBlock = fence === 'sh' || (fence === undefined && line.startsWith('    '));
    const spans = fence === undefined ? [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code) : [];
    const texts = isBlock ? line.trim().split(/ && /) : spans.flatMap((code) => code.split(/ && /));
    return texts
      .map((text) =>
        text
          .replace(/\s+#.*$/, '')
          .replace(/^node \S*build\/octroi\.js /, 'octroi ')
          .trim(),
      )
      .filter((text) => commandLine.test(text))
      .map((text) => ({ place: `${path}:${index + 1}`, text }));
  });
}
