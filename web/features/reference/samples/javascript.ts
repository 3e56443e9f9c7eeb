import { type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { indented, jsonOf, singleQuoted } from '#web/features/reference/samples/quoting.ts';

/** A module for Node 18 and newer, with the fetch that it has built in. */
export function javascriptSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sent = [
    [singleQuoted(keyHeader), key === null ? `process.env.${keyVariable}` : singleQuoted(key)],
    ...headers.map(([name, value]) => [singleQuoted(name), singleQuoted(value)]),
  ];
  const readsFiles =
    body !== null &&
    typeof body === 'object' &&
    ('file' in body || body.parts.some(({ value }) => typeof value !== 'string'));
  const imports = [...(readsFiles ? ['readFile'] : []), ...(savesAs === null ? [] : ['writeFile'])];
  return [
    ...(imports.length === 0 ? [] : [`import { ${imports.join(', ')} } from 'node:fs/promises';`, '']),
    ...formLines(body),
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

function formLines(body: SampleCall['body']): string[] {
  if (body === null || typeof body === 'string' || 'file' in body) return [];
  const fields = body.parts.map(({ name, value }) =>
    typeof value === 'string'
      ? `form.append(${singleQuoted(name)}, ${singleQuoted(value)});`
      : `form.append(${singleQuoted(name)}, new Blob([await readFile(${singleQuoted(value.file)})]), ${singleQuoted(value.file)});`,
  );
  return ['const form = new FormData();', ...fields];
}

function bodyExpression(body: NonNullable<SampleCall['body']>): string {
  if (typeof body !== 'string') return 'file' in body ? `await readFile(${singleQuoted(body.file)})` : 'form';
  const json = jsonOf(body);
  if (json === undefined) return JSON.stringify(body);
  return `JSON.stringify(${indented(JSON.stringify(json.value, null, 2), 2)})`;
}
