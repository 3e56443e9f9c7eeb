import { type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { shellQuoted } from '#web/features/reference/samples/quoting.ts';

function bodyOptions(body: SampleCall['body']): string[] {
  if (body === null) return [];
  if (typeof body === 'string') return [`--data-raw ${shellQuoted(body)}`];
  if ('file' in body) return [`--data-binary ${shellQuoted(`@${body.file}`)}`];
  return body.parts.map(({ name, value }) =>
    typeof value === 'string'
      ? `--form-string ${shellQuoted(`${name}=${value}`)}`
      : `-F ${shellQuoted(`${name}=@${value.file}`)}`,
  );
}

/** With -X HEAD, curl would wait for a body that never comes. */
function methodOption(method: string): string {
  if (method === 'GET') return '';
  return method === 'HEAD' ? ' --head' : ` -X ${method}`;
}

/** A command for a POSIX shell. It fails on an error response, and prints it all the same. */
export function curlSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sentKey = key === null ? `"${keyHeader}: $${keyVariable}"` : shellQuoted(`${keyHeader}: ${key}`);
  return [
    // Brackets and braces in an address are patterns to curl, unless it is told otherwise.
    `curl --fail-with-body${methodOption(method)}${/[[\]{}]/.test(url) ? ' --globoff' : ''}`,
    shellQuoted(url),
    `-H ${sentKey}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...bodyOptions(body),
    ...(savesAs === null ? [] : [`-o ${savesAs}`]),
  ].join(' \\\n  ');
}
