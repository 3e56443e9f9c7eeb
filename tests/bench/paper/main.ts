import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { measureMemory } from './memory.ts';
import { measureStorm } from './storm.ts';

/**
 * `npm run bench:paper`: what rendering PDFs costs concurrent callers, and how much memory it uses. `--write` puts the
 * tables into docs/performance.md; `--only storm` or `memory` measures one of them.
 */
const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '15' },
    documents: { type: 'string', default: '10000' },
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});

const say = (line: string): void => void process.stderr.write(`${line}\n`);

function finish(name: string, text: string): void {
  const busy = loadavg()[0] ?? 0;
  const where = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0]?.model ?? 'unknown'}); load average ${busy.toFixed(1)} at the end.`;
  const table = `${where}\n\n${text}`;
  say(table);
  if (!options.write) return;
  const file = projectFolder('docs', 'performance.md');
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(begin);
  const [, after = ''] = rest.split(end);
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}

if (options.only !== 'memory') {
  finish('pdf-storm', await measureStorm(Number(options.rounds), Number(options.seconds), say));
}
if (options.only !== 'storm') finish('pdf-memory', await measureMemory(Number(options.documents), say));
