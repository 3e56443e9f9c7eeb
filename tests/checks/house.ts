import { readFileSync, writeFileSync } from 'node:fs';
import { projectFolder } from '#shared/platform/project-folder.ts';
import {
  describeFolders,
  describeInside,
  describeNouns,
  describeRooms,
  linkFaults,
  numberFaults,
  pagesIn,
  pathFaults,
  tablesIn,
  tablesWritten,
  withGenerated,
  wordFaults,
} from './house-text.ts';
import { folderWords, nounWords, roomWords } from './places.ts';
import { report } from './report.ts';
import { repositoryFiles } from './repository-files.ts';
import { roomOf, rooms } from './rooms.ts';

/** Writes (`--write`) or verifies the tables of docs/house.md: rooms, their folders, and the nouns with their tables and pages. */
const read = (path: string) => readFileSync(projectFolder(path), 'utf8');
const paths = repositoryFiles();
const code = paths.filter(
  (path) =>
    /^(server|gateway|products|shared\/database)\/.*\.ts$/.test(path) &&
    !/\.(test|long)\.ts$|(^|\/)test-[^/]*$|\/(test|money-tests)\//.test(path),
);
const schema = paths
  .filter((path) => /^(shared\/database\/schema|products\/migrations)\/.*\.sql$/.test(path))
  .map(read)
  .join('\n');
const written = tablesWritten(
  code.map((path) => ({ path, text: read(path) })),
  schema,
);
const pages = pagesIn(read('web/routes.tsx') + read('web/console/routes.tsx'));

const folders = new Set(
  paths.flatMap((path) => {
    const room = roomOf(path);
    const [folder = '', ...rest] = path.slice(room.length + 1).split('/');
    return rest.length > 0 && rooms[room] !== undefined && folder !== 'public' ? [`${room}/${folder}`] : [];
  }),
);
const nouns = paths.flatMap((path) => /^(?:server|web|web\/console)\/features\/([^/]+)\//.exec(path)?.[1] ?? []);
const faults = [
  ...(pages.size === 0 ? ['No pages were found in the routes.'] : []),
  ...wordFaults('room', Object.keys(rooms), roomWords),
  ...wordFaults('folder', folders, folderWords),
  ...wordFaults('noun', nouns, nounWords),
];

const file = 'docs/house.md';
const known = new Set(paths);
const wanted = [
  ['rooms', describeRooms(rooms, roomWords)],
  ['inside', describeInside(rooms)],
  ['folders', describeFolders(folderWords, written, tablesIn(schema))],
  ['nouns', describeNouns(nounWords, known, written, pages)],
].reduce((page, [name = '', text = '']) => withGenerated(page, name, text), read(file));
if (process.argv.includes('--write')) writeFileSync(projectFolder(file), wanted);
if (read(file) !== wanted) faults.push(`${file} is out of date; run: npm run house`);
for (const page of [file, 'docs/glossary.md']) faults.push(...pathFaults(page, read(page), known, Object.keys(rooms)));
for (const page of paths.filter((path) => path.endsWith('.md'))) faults.push(...linkFaults(page, read(page), known));
faults.push(...numberFaults(paths));
report(`house: ${Object.keys(rooms).length} rooms, ${folders.size} folders, ${new Set(nouns).size} nouns`, faults);
