import { type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { indented, singleQuoted } from '#web/features/reference/samples/quoting.ts';

/** A script for PHP 8 with its curl extension. */
export function phpSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sentKey = key === null ? `'${keyHeader}: ' . getenv('${keyVariable}')` : singleQuoted(`${keyHeader}: ${key}`);
  return [
    '<?php',
    `$curl = curl_init(${singleQuoted(url)});`,
    'curl_setopt_array($curl, [',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    '    CURLOPT_RETURNTRANSFER => true,',
    '    CURLOPT_HTTPHEADER => [',
    ...[sentKey, ...headers.map(([name, value]) => singleQuoted(`${name}: ${value}`))].map(
      (line) => `        ${line},`,
    ),
    '    ],',
    ...(body === null ? [] : [`    CURLOPT_POSTFIELDS => ${indented(nowdoc(body), 4)},`]),
    ']);',
    '$answer = curl_exec($curl);',
    'if ($answer === false || curl_getinfo($curl, CURLINFO_RESPONSE_CODE) >= 400) {',
    '    fwrite(STDERR, ($answer ?: curl_error($curl)) . PHP_EOL);',
    '    exit(1);',
    '}',
    savesAs === null ? 'echo $answer, PHP_EOL;' : `file_put_contents('${savesAs}', $answer);`,
  ].join('\n');
}

/** A text as it stands, unless a line of it would end it. */
function nowdoc(text: string): string {
  return /^\s*JSON\b/m.test(text) ? singleQuoted(text) : `<<<'JSON'\n${text}\nJSON`;
}
