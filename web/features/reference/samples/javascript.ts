import { type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { indented, jsonOf, singleQuoted } from '#web/features/reference/samples/quoting.ts';

/** A module for Node 18 and newer, with the fetch that it has built in. */
export function javascriptSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sent = [
    [singleQuoted(keyHeader), key === null ? `process.env.${keyVariable}` : singleQuoted(key)],
    ...headers.map(([name, value]) => [singleQuoted(name), singleQuoted(value)]),
  ];
  return [
    ...(savesAs === null ? [] : ["import { writeFile } from 'node:fs/promises';", '']),
    `const response = await fetch(${singleQuoted(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    '  headers: {',
    ...sent.map(([name, value]) => `    ${name}: ${value},`),
    '  },',
    ...(body === null ? [] : [`  body: ${bodyExpression(body)},`]),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    savesAs === null
      ? 'console.log(await response.text());'
      : `await writeFile('${savesAs}', new Uint8Array(await response.arrayBuffer()));`,
  ].join('\n');
}

function bodyExpression(body: string): string {
  const json = jsonOf(body);
  if (json === undefined) return JSON.stringify(body);
  return `JSON.stringify(${indented(JSON.stringify(json.value, null, 2), 2)})`;
}
