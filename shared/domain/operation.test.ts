import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { dearestOf, isCharged, operationFinder } from './operation.ts';

const operations = [
  { id: 'read', method: 'GET', path: '/v1/gstins/{gstin}' },
  { id: 'bulk', method: 'GET', path: '/v1/gstins/bulk' },
  { id: 'submit', method: 'POST', path: '/v1/gstins/bulk' },
  { id: 'file', method: 'GET', path: '/v1/{kind}/bulk/{name}' },
  { id: 'job', method: 'GET', path: '/v1/jobs/{id}' },
  { id: 'result', method: 'GET', path: '/v1/jobs/{id}/result' },
  { id: 'cancel', method: 'POST', path: '/v1/jobs/{id}:cancel' },
  { id: 'change', method: 'POST', path: '/v1/jobs/{id}' },
];
const operationsOf = operationFinder(operations);

test('an operation is found by its method and path, a literal name before a parameter', () => {
  expect(operationsOf('GET', '/v1/gstins/29ABCDE1234F1Z5')).toEqual(['read']);
  expect(operationsOf('GET', '/v1/gstins/bulk?after=3')).toEqual(['bulk']);
  expect(operationsOf('POST', '/v1/gstins/bulk')).toEqual(['submit']);
  expect(operationsOf('HEAD', '/v1/gstins/bulk')).toEqual(['bulk']);
  expect(operationsOf('GET', '/v1/gstins/bulk/a')).toEqual(['file']);
  expect(operationsOf('POST', '/v1/jobs/5:cancel')).toEqual(['cancel']);
  expect(operationsOf('POST', '/v1/jobs/5')).toEqual(['change']);
  expect(operationsOf('POST', '/v1/jobs/:cancel')?.toSorted()).toEqual(['cancel', 'change']);
  for (const other of ['/v1/gstins', '/v1', '/', '/v2/gstins/bulk']) expect(operationsOf('GET', other)).toEqual(['']);
  expect(operationsOf('DELETE', '/v1/gstins/bulk')).toEqual(['']);
});

test.each([
  ['/v1/jobs/5%2Fresult', ['job', 'result']],
  ['/v1/jobs/5%252fresult', ['job', 'result']],
  ['/v1/jobs/5\\result', ['job', 'result']],
  ['/v1/jobs/5%5cresult', ['job', 'result']],
  ['/v1/jobs%2F5', ['', 'job']],
  ['/v1/jobs;a=b/5', ['', 'job']],
  // Tomcat cuts off parameters before it decodes slashes.
  ['/v1/jobs;%2Fx/5%2Fresult', ['', 'job', 'result']],
  ['/v1/jobs/5;%2Fresult', ['job', 'result']],
  ['/v1/jobs/5/result%3Fa=b', ['', 'result']],
  ['/v1/jobs/5%3F/result', ['result', 'job']],
  ['/v1/jobs/5#/result', ['result', 'job']],
  ['/v1/jobs/5%00/result', ['result', 'job']],
  // Case-sensitive servers and those that compare undecoded names see a value of the parameter.
  ['/v1/gstins/BULK', ['read', 'bulk']],
  ['/v1/gstins/%62ulk', ['read', 'bulk']],
  ['/v1/gstins/bulk.json', ['read', 'bulk']],
  ['/v1/gstins/bulk.', ['read', 'bulk']],
  ['/v1/gstins/bulk%0A', ['read', 'bulk']],
  // Some servers take an empty name for the value of a parameter, most overlook it.
  ['/v1/jobs//result', ['job', 'result']],
  ['/v1/jobs//result/', ['job', 'result']],
  ['/v1/jobs%2F/result', ['', 'job', 'result']],
  ['/v1/jobs/;a=b/result', ['job', 'result']],
  ['/v1//bulk/a', ['', 'file']],
  ['/v1/jobs/', ['', 'job']],
  ['/v1/jobs//', ['', 'job']],
])('%s may be a call of each of %j', (path, found) => {
  expect(operationsOf('GET', path)?.toSorted()).toEqual(found.toSorted());
});

test.each([
  '/v1/jobs/a%20b%3Fc%23d;e=f',
  '/v1/jobs/caf%C3%A9',
  '/v1/jobs/100%25',
  '/v1/jobs/%E0%A4%A',
  '/v1/jobs/report.pdf',
  '/v1//jobs///5//',
  '/V1/Jobs/5/',
  '/v1/%6aobs/5?a=%2Fresult',
])('%s is a call of one operation', (path) => {
  expect(operationsOf('GET', path)).toEqual(['job']);
});

test('a HEAD is a call of its own operation if it is listed, otherwise of the GET, in each reading of its path', () => {
  const ofHead = operationFinder([...operations, { id: 'exists', method: 'HEAD', path: '/v1/jobs/{id}' }]);
  expect(ofHead('HEAD', '/v1/jobs/5')).toEqual(['exists']);
  expect(ofHead('HEAD', '/v1/gstins/bulk')).toEqual(['bulk']);
  expect(ofHead('HEAD', '/v1/jobs/5%2Fresult')?.toSorted()).toEqual(['exists', 'result']);
  expect(ofHead('HEAD', '/v1/other')).toEqual(['']);
  // A literal path goes before a parameter, whichever of them lists HEAD.
  const bulk = { id: 'bulk-jobs', method: 'GET', path: '/v1/jobs/bulk' };
  const literal = operationFinder([bulk, { id: 'exists', method: 'HEAD', path: '/v1/jobs/{id}' }]);
  expect(literal('HEAD', '/v1/jobs/bulk')).toEqual(['bulk-jobs']);
});

test('nobody can tell the operation of a path with dozens of readings', () => {
  expect(operationsOf('GET', '/v1/jobs%255Ca%253Bb%5Cc%3Bd/%255Ce%3Ff%2523g%3Bh%255Ci/j')).toBeUndefined();
  expect(operationsOf('GET', `/v1/jobs/${'%255C%253B/'.repeat(1000)}`)).toBeUndefined();
});

type Step = (path: string) => string;
const decode: Step = (path) => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};
const cutParameters: Step = (path) => path.replaceAll(/;[^/]*/g, '');
const cutBackslashed: Step = (path) => path.replaceAll(/;[^/\\]*/g, '');
const backslashes: Step = (path) => path.replaceAll('\\', '/');
const cutQuery: Step = (path) => path.replace(/\?.*/s, '');
const parseAgain: Step = (path) => path.replace(/[?#].*/s, '');
const cString: Step = (path) => path.replace(/\0.*/s, '');
/** What servers, and chains of a proxy and a server, do to a path before they split it at slashes. */
const servers: Record<string, Step[]> = {
  'Express, Fastify': [],
  'WSGI, ASGI, Django, Rails': [decode],
  'nginx before WSGI': [decode, decode],
  'Tomcat, Jetty, Spring': [cutParameters, decode],
  'Spring behind nginx': [decode, cutParameters, decode],
  'IIS, ASP.NET': [decode, backslashes],
  'Tomcat on Windows': [cutParameters, decode, backslashes],
  'a proxy that cuts after backslashes': [backslashes, cutBackslashed, decode, cutParameters],
  'a rewriting proxy': [decode, parseAgain],
  'a gateway in PHP': [decode, cutQuery, decode, parseAgain],
  'a module in C': [decode, cString],
  'all of them': [parseAgain, decode, backslashes, cutParameters, decode, cString],
};
/** How servers compare names. */
const compares: ((name: string, isLast: boolean) => string)[] = [
  (name) => name,
  decode,
  (name) => decode(name).toLowerCase(),
  (name) => decode(name).toLowerCase().trim().replace(/\.$/, ''),
  (name, isLast) => (isLast ? decode(name).replace(/\.[a-z]+$/, '') : decode(name)),
];

/** The operation that a server finds; undefined where none has as many names. */
function served(
  steps: readonly Step[],
  compare: (typeof compares)[number],
  overlooksEmpty: boolean,
  path: string,
): string | undefined {
  const read = steps.reduce((before, step) => step(before), path.replace(/\?.*/s, ''));
  const names = read.split('/').filter((name, index) => name !== '' || (index > 0 && !overlooksEmpty));
  const ofLength = operations.flatMap(({ id, method, path: template }) => {
    const parts = template.split('/').slice(1);
    return method === 'GET' && parts.length === names.length ? [{ id, parts }] : [];
  });
  // A final slash makes no other operation of one that is listed without it.
  if (!overlooksEmpty && read.endsWith('/')) return undefined;
  if (ofLength.length === 0) return overlooksEmpty ? '' : undefined;
  const fits = ofLength.filter(({ parts }) =>
    parts.every(
      (part, index) => part.startsWith('{') || part === compare(names[index] ?? '', index === parts.length - 1),
    ),
  );
  return fits.toSorted((one, other) => (one.parts.join() < other.parts.join() ? -1 : 1))[0]?.id;
}

/** A character as callers may write it. */
function encoded(char: string): string[] {
  const hex = char.charCodeAt(0).toString(16).padStart(2, '0');
  return [char, `%${hex}`, `%${hex.toUpperCase()}`, `%25${hex}`];
}

test('whatever a server makes of a path, the operation that it finds is among those that count', () => {
  const name = fc.constantFrom('v1', 'jobs', '5', 'result', 'gstins', 'bulk', 'BULK', '%62ulk', 'x', 'result.json');
  const slash = fc.constantFrom(...encoded('/'), '//', ...encoded('\\'));
  const odd = fc.constantFrom(
    '',
    '',
    '',
    '.',
    '%20',
    ...[';', '?', '#', '\0'].flatMap(encoded).filter((c) => c !== '\0'),
  );
  const after = fc.constantFrom('', '', 'x', '=b', '%2F', '/');
  const start = fc.constantFrom('/v1/jobs/5', '/v1/jobs', '/v1/gstins', '/v1');
  const paths = fc
    .tuple(
      start,
      fc.array(
        fc.tuple(odd, after, slash, name).map((parts) => parts.join('')),
        { maxLength: 4 },
      ),
    )
    .map(([first, rest]) => first + rest.join(''));
  fc.assert(
    fc.property(
      paths,
      fc.constantFrom(...Object.keys(servers)),
      fc.constantFrom(...compares),
      fc.boolean(),
      (path, server, compare, overlooksEmpty) => {
        const found = served(servers[server] ?? [], compare, overlooksEmpty, path);
        const counted = operationsOf('GET', path);
        expect(found === undefined || counted === undefined || counted.includes(found)).toBe(true);
      },
    ),
    { numRuns: 20_000 },
  );
});

test('of several costs the dearest counts, for every status of one of them', () => {
  expect(dearestOf([{ units: 10, counts: [200] }])).toEqual({ units: 10, counts: [200] });
  expect(dearestOf([{ units: 10, counts: [200] }, { units: 1 }])).toEqual({ units: 10 });
  expect(dearestOf([{ units: 2, counts: [404] }, { units: 0 }, { units: 7, counts: ['2xx', 404] }])).toEqual({
    units: 7,
    counts: [404, '2xx'],
  });
  expect(dearestOf([{ units: 0 }, { units: 0, counts: [200] }])).toMatchObject({ units: 0 });
});

test('a call is charged for the statuses of its operation; one of 0 units never is', () => {
  expect(isCharged({ units: 10 }, 404)).toBe(true);
  expect(isCharged({ units: 0 }, 200)).toBe(false);
  const found = { units: 5, counts: ['2xx', 404] as const };
  expect([200, 201, 404].every((status) => isCharged(found, status))).toBe(true);
  expect([301, 400, 422].some((status) => isCharged(found, status))).toBe(false);
});
