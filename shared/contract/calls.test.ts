import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type Call, defineCall } from './call.ts';
import { ids, nounsOf } from './ids.ts';
import { calls, callsOf, contractModules } from './test-calls.ts';

const listed = (names: string[]) => names.toSorted((one, other) => one.localeCompare(other)).join(', ');

/** Errors in the names and paths of calls. */
function faultsIn(found: readonly (readonly [exported: string, call: Call])[]): string[] {
  const taken = new Set<string>();
  return found.flatMap(([exported, { name, method, path, params, query, body }]) => {
    const faults: string[] = [];
    const route = `${method} ${path.replaceAll(/:\w+/g, ':')}`;
    if (exported !== name) faults.push(`${exported} is named ${name}.`);
    if (taken.has(name)) faults.push(`${name} is the name of two calls.`);
    if (taken.has(route)) faults.push(`${name} has the route of another call.`);
    taken.add(name).add(route);
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter = '']) => parameter);
    if (listed(inPath) !== listed(Object.keys(params?.shape ?? {})))
      faults.push(`${name} has other params than its path.`);
    for (const [field, schema] of [params, query, body].flatMap((part) => Object.entries(part?.shape ?? {}))) {
      // The fields of signIn are the specification's and are ignored.
      if (/^id$|Id$/.test(field) && nounsOf(schema) === undefined && name !== 'signIn')
        faults.push(`${name}: ${field} does not say what it identifies; use ids of shared/contract/ids.ts.`);
    }
    return faults;
  });
}

const valid = defineCall({
  name: 'readThing',
  summary: 'A thing',
  method: 'GET',
  path: '/things/:documentId',
  auth: 'session',
  params: z.object({ documentId: ids.document }),
  reply: z.object({}),
  refusals: ['not_found'],
});

test('every module of the contract is read, and every call in it is listed', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => /^(?!test-).*(?<!\.test)\.ts$/.test(name));
  expect(Object.keys(contractModules).toSorted()).toEqual(files.map((name) => `./${name}`).toSorted());
  expect(calls.length).toBeGreaterThan(40);
  const added = { ...contractModules, './things.ts': { valid, thingSchema: z.object({}), most: 5 } };
  expect(callsOf(added).map(([, call]) => call.name)).toEqual([...calls.map(({ name }) => name), 'readThing']);
});

test('calls have unique names and routes, and typed ids', () => {
  expect(faultsIn(callsOf(contractModules))).toEqual([]);
  expect(faultsIn([['readThing', valid]])).toEqual([]);
});

test.each<[fault: string, found: [string, Call][]]>([
  ['readIt is named readThing.', [['readIt', valid]]],
  [
    'readThing is the name of two calls.',
    [
      ['readThing', valid],
      ['readThing', { ...valid, path: '/others/:documentId' }],
    ],
  ],
  [
    'readOther has the route of another call.',
    [
      ['readThing', valid],
      ['readOther', { ...valid, name: 'readOther' }],
    ],
  ],
  ['readThing has other params than its path.', [['readThing', { ...valid, path: '/things/:id' }]]],
  [
    'readThing: documentId does not say what it identifies; use ids of shared/contract/ids.ts.',
    [['readThing', { ...valid, params: z.object({ documentId: z.string() }) }]],
  ],
])('reports: %s', (fault, found) => {
  expect(faultsIn(found)).toContain(fault);
});

test('no call keeps characters that nobody sees in a text that people see', () => {
  const samples = ['asha\u202E\uD800@books.example', 'https://kaveri\u202E\uD800.example/', 'asha\u202E\uD800'];
  const kept = calls.flatMap(({ name, body }: Call) =>
    Object.entries<z.ZodType>(body?.shape ?? {}).flatMap(([field, schema]) => {
      const isKept = samples.some((sample) => {
        const { data } = schema.safeParse(sample);
        return typeof data === 'string' && /[\u202E\uD800]/.test(data);
      });
      return isKept && nounsOf(schema) === undefined ? [`${name}.${field}`] : [];
    }),
  );
  // What a sign-in or a link is compared with, what is ignored of it, and a name with a rule of its own: a to z, and digits.
  const others =
    /^(?:signIn\.|addMemberPasskey\.googleIdToken$|(?:continueSignIn|readFirst)\.identity$|(?:accept|decline)Invitation\.signature$|verifyPayment\.signature$|\w+PayLink\.(?:link|signature)$|createApiKey\.keyName$)/;
  expect(kept.filter((each) => !others.test(each))).toEqual([]);
});
