import { type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { indented, singleQuoted } from '#web/features/reference/samples/quoting.ts';

/** A script for PHP 8 and newer, without extensions: Debian's php-cli, for one, comes without curl. */
export function phpSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sentKey = key === null ? `'${keyHeader}: ' . getenv('${keyVariable}')` : singleQuoted(`${keyHeader}: ${key}`);
  return [
    '<?php',
    `$stream = fopen(${singleQuoted(url)}, 'r', false, stream_context_create(['http' => [`,
    `    'method' => '${method}',`,
    "    'header' => [",
    ...[sentKey, ...headers.map(([name, value]) => singleQuoted(`${name}: ${value}`))].map(
      (line) => `        ${line},`,
    ),
    '    ],',
    ...(body === null ? [] : [`    'content' => ${indented(nowdoc(body), 4)},`]),
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

/** A text as it stands, unless a line of it would end it. */
function nowdoc(text: string): string {
  return /^\s*JSON\b/m.test(text) ? singleQuoted(text) : `<<<'JSON'\n${text}\nJSON`;
}
