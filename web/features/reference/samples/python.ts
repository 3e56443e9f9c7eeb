import { type CallPart, type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { doubleQuoted, indented, jsonOf } from '#web/features/reference/samples/quoting.ts';

/** A program for Python 3 that needs nothing installed. */
export function pythonSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const json = typeof body === 'string' ? jsonOf(body) : undefined;
  const parts = body !== null && typeof body === 'object' && 'parts' in body ? body.parts : undefined;
  const imports = [...(json === undefined ? [] : ['json']), ...(key === null ? ['os'] : [])];
  const sent = [
    [doubleQuoted(keyHeader), key === null ? `os.environ["${keyVariable}"]` : doubleQuoted(key)],
    ...headers.map(([name, value]) => [doubleQuoted(name), doubleQuoted(value)]),
    ...(parts === undefined ? [] : [['"Content-Type"', '"multipart/form-data; boundary=" + boundary']]),
  ];
  const data =
    typeof body === 'object' && body !== null
      ? 'file' in body
        ? `open(${doubleQuoted(body.file)}, "rb").read()`
        : 'data'
      : json === undefined
        ? `${doubleQuoted(body ?? '')}.encode()`
        : `json.dumps(${indented(pythonLiteral(json.value), 4)}).encode()`;
  return [
    ...imports.map((name) => `import ${name}`),
    'import urllib.error',
    'import urllib.request',
    ...(parts === undefined ? [] : ['import uuid']),
    '',
    ...(parts === undefined ? [] : formLines(parts)),
    'request = urllib.request.Request(',
    `    ${doubleQuoted(url)},`,
    `    method="${method}",`,
    '    headers={',
    ...sent.map(([name, value]) => `        ${name}: ${value},`),
    '    },',
    ...(body === null ? [] : [`    data=${data},`]),
    ')',
    'try:',
    '    with urllib.request.urlopen(request) as response:',
    ...(savesAs === null
      ? ['        print(response.read().decode())']
      : [`        with open("${savesAs}", "wb") as file:`, '            file.write(response.read())']),
    'except urllib.error.HTTPError as error:',
    '    raise SystemExit(error.read().decode())',
  ].join('\n');
}

function formLines(parts: readonly CallPart[]): string[] {
  return [
    'boundary = uuid.uuid4().hex',
    '',
    'def part(name, value, file=None):',
    '    head = "--" + boundary + \'\\r\\nContent-Disposition: form-data; name="\' + name + \'"\'',
    '    if file is not None:',
    "        head += '; filename=\"' + file + '\"\\r\\nContent-Type: application/octet-stream'",
    '    return (head + "\\r\\n\\r\\n").encode() + value + b"\\r\\n"',
    '',
    'data = b"".join([',
    ...parts.map(({ name, value }) =>
      typeof value === 'string'
        ? `    part(${doubleQuoted(name)}, ${doubleQuoted(value)}.encode()),`
        : `    part(${doubleQuoted(name)}, open(${doubleQuoted(value.file)}, "rb").read(), ${doubleQuoted(value.file)}),`,
    ),
    '    ("--" + boundary + "--\\r\\n").encode(),',
    '])',
    '',
  ];
}

/** JSON's values as Python writes them: None, True, False. */
export function pythonLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return block('[', value.map(pythonLiteral), ']');
  if (typeof value === 'object') {
    const members = Object.entries(value).map(([name, each]) => `${doubleQuoted(name)}: ${pythonLiteral(each)}`);
    return block('{', members, '}');
  }
  return JSON.stringify(value);
}

function block(open: string, members: string[], close: string): string {
  if (members.length === 0) return open + close;
  return [open, ...members.map((member) => `    ${indented(member, 4)},`), close].join('\n');
}
