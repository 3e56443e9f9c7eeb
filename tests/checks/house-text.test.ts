import { expect, test } from 'vitest';
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

const room = (...imports: string[]) => ({ imports, packages: [] });

test('each line of the diagram imports only from lines below it', () => {
  const rooms = {
    'shared/domain': room(),
    web: room('shared/contract', 'shared/domain'),
    'shared/contract': room('shared/domain'),
    'tests/e2e': room('web/a.ts'),
  };
  const text = describeRooms(rooms, { web: { what: 'the pages', lookFor: 'what a customer sees' } });
  expect(text).toContain('```\ntests/e2e\nweb\nshared/contract\nshared/domain\n```');
  expect(text).toContain('| `web/` | the pages | what a customer sees | shared/contract, shared/domain |');
  expect(text).toContain('| `tests/e2e/` |  |  | `web/a.ts` |');
});

test('the folders of a room with arrows of its own have a diagram', () => {
  const gateway = { ...room(), rooms: { quota: ['journal'], journal: [], calls: ['quota'] } };
  expect(describeInside({ gateway, domain: room() })).toBe('Inside `gateway/`:\n\n```\ncalls\nquota\njournal\n```\n');
});

test('rooms that may import each other in a circle have no diagram', () => {
  expect(() => describeRooms({ a: room('b'), b: room('a') }, {})).toThrow('a → b → a');
});

const schema = `create table keys (
create table counts (
create table notes (
create table seeds (
create table if not exists products.kept (
create or replace function add_counts(p_key text) returns void language plpgsql as $$
begin
  perform add_one(p_key);
end $$;

create or replace function add_one(p_key text) returns void language plpgsql as $$
begin
  insert into counts as c (key) values (p_key);
end $$;

create or replace function keys_are_noted() returns trigger language plpgsql as $$
begin
  update notes set at = now();
end $$;
`;
const files = [
  { path: 'server/features/keys/store.ts', text: `tx.insertInto('keys')` },
  { path: 'gateway/quota/store.ts', text: '`select add_counts($1)`' },
  { path: 'products/store/kept.ts', text: '`insert into products.kept as k (id) values ($1)`' },
  { path: 'server/main.ts', text: '`delete from keys where true; insert into elsewhere values (1)`' },
];

test('a folder writes the tables of its statements and of the functions that it calls', () => {
  expect(Object.fromEntries(tablesWritten(files, schema))).toEqual({
    'server/features/keys': ['keys'],
    'gateway/quota': ['counts'],
    'products/store': ['products.kept'],
    server: ['keys'],
    trigger: ['notes'],
  });
});

test('every table is listed with the folders that write it', () => {
  const written = tablesWritten(files, schema);
  const folders = describeFolders({ 'gateway/quota': 'counts', 'products/store': 'kept' }, written, tablesIn(schema));
  expect(folders).toContain('| `gateway/quota/` | counts | `counts` |');
  expect(folders).toContain('beside the folders of `server/`: `keys`; triggers: `notes`; the schema alone: `seeds`');
  const paths = new Set(['shared/contract/keys.ts', 'server/features/keys/store.ts', 'web/features/keys/page.tsx']);
  const nouns = describeNouns({ keys: 'keys' }, paths, written, new Map([['web/features/keys', ['/keys']]]));
  expect(nouns).toContain('| keys | keys | shared/contract, server, web | `keys` | `/keys` |');
});

test('a page’s address is the one before its import', () => {
  const routes = `page('/login', async () => (await import('#web/features/account/login.tsx')).Login),
    page(\n'/keys/:id',\n async () => (await import('#web/features/keys/page.tsx')).Page), { path: '/', element: <Home /> },
    page('/', async () => (await import('#web/console/features/keys/today.tsx')).Today),
    page('/keys', async () => (await import('#web/console/features/keys/page.tsx')).Page),`;
  expect(Object.fromEntries(pagesIn(routes))).toEqual({
    'web/features/account': ['/login'],
    'web/features/keys': ['/keys/:id'],
    'web/console/features/keys': ['/operator', '/operator/keys'],
  });
});

test('a generated text replaces the text between its marks, and requires the marks', () => {
  const page = 'before\n<!-- generated: rooms -->\nold\n<!-- /generated -->\nafter\n';
  expect(withGenerated(page, 'rooms', 'new\n')).toBe(page.replace('old', 'new'));
  expect(() => withGenerated(page, 'nouns', 'new\n')).toThrow('nouns');
});

test('reports a place without a description and a description without a place', () => {
  expect(wordFaults('noun', ['keys', 'usage'], { keys: '', mails: '' })).toEqual([
    expect.stringContaining('noun usage has no description'),
    expect.stringContaining('noun mails of tests/checks/places.ts does not exist'),
  ]);
});

test('reports a path of a room that does not exist', () => {
  const paths = new Set(['server/features/keys/keys.ts', 'catalog/a.yaml']);
  const text =
    '`server/features/<noun>`, `catalog/*.yaml`, `server/features/`, `docs/gone.md`, `server/features/keys/gone.ts`';
  expect(pathFaults('docs/house.md', text, paths, ['server', 'catalog'])).toEqual([
    'docs/house.md names server/features/keys/gone.ts, which does not exist.',
  ]);
});

test('a relative link to nothing is a fault of its page', () => {
  const paths = new Set(['docs/house.md', 'docs/decisions/001-rooms.md']);
  const text = '[a](decisions/001-rooms.md#x) [b](decisions) [c](https://a.example) [d](../gone.md)';
  expect(linkFaults('docs/house.md', text, paths)).toEqual(['docs/house.md links to gone.md, which does not exist.']);
});

test('a number of two decisions is a fault', () => {
  const paths = ['docs/decisions/001-rooms.md', 'docs/decisions/002-keys.md', 'docs/decisions/002-mails.md'];
  expect(numberFaults(paths)).toEqual(['Two pages of docs/decisions have the number 002.']);
});
