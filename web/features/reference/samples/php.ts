import { type CallPart, type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { indented, singleQuoted } from '#web/features/reference/samples/quoting.ts';

/** A script for PHP 8 and newer, without extensions: Debian's php-cli, for one, comes without curl. */
export function phpSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const parts = body !== null && typeof body === 'object' && 'parts' in body ? body.parts : undefined;
  const sentKey = key === null ? `'${keyHeader}: ' . getenv('${keyVariable}')` : singleQuoted(`${keyHeader}: ${key}`);
  return [
    '<?php',
    ...(parts === undefined ? [] : formLines(parts)),
    `$stream = fopen(${singleQuoted(url)}, 'r', false, stream_context_create(['http' => [`,
    `    'method' => '${method}',`,
    "    'header' => [",
    ...[sentKey, ...headers.map(([name, value]) => singleQuoted(`${name}: ${value}`))].map(
      (line) => `        ${line},`,
    ),
    ...(parts === undefined ? [] : ["        'Content-Type: multipart/form-data; boundary=' . $boundary,"]),
    '    ],',
    ...(body === null ? [] : [`    'content' => ${indented(contentOf(body), 4)},`]),
    "    'ignore_errors' => true,",
    ']]));',
    'if ($stream === false) {',
    '    exit(1);',
    '}',
    "[, $status] = explode(' ', stream_get_meta_data($stream)['wrapper_data'][0]);",
    '$answer = stream_get_contents($stream);',
    'if ($status >= 400) {',
    '    fwrite(STDERR, $answer . PHP_EOL);',
    '    exit(1);',
    '}',
    savesAs === null ? 'echo $answer, PHP_EOL;' : `file_put_contents('${savesAs}', $answer);`,
  ].join('\n');
}

function contentOf(body: NonNullable<SampleCall['body']>): string {
  if (typeof body === 'string') return nowdoc(body);
  return 'file' in body ? `file_get_contents(${singleQuoted(body.file)})` : '$form';
}

function formLines(parts: readonly CallPart[]): string[] {
  const written = parts.map(({ name, value }) => {
    const disposition = `Content-Disposition: form-data; name="${name}"`;
    const head = typeof value === 'string' ? disposition : `${disposition}; filename="${value.file}"`;
    const content = typeof value === 'string' ? singleQuoted(value) : `file_get_contents(${singleQuoted(value.file)})`;
    return `$form .= "--$boundary\\r\\n" . ${singleQuoted(head)} . "\\r\\n\\r\\n" . ${content} . "\\r\\n";`;
  });
  return ['$boundary = bin2hex(random_bytes(16));', "$form = '';", ...written, '$form .= "--$boundary--\\r\\n";'];
}

/** A text as it stands, unless a line of it would end it. */
function nowdoc(text: string): string {
  return /^\s*JSON\b/m.test(text) ? singleQuoted(text) : `<<<'JSON'\n${text}\nJSON`;
}
