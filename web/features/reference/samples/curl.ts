import { type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { shellQuoted } from '#web/features/reference/samples/quoting.ts';

/** A command for a POSIX shell. It fails on an error response, and prints it all the same. */
export function curlSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sentKey = key === null ? `"${keyHeader}: $${keyVariable}"` : shellQuoted(`${keyHeader}: ${key}`);
  return [
    `curl --fail-with-body${method === 'GET' ? '' : ` -X ${method}`}`,
    shellQuoted(url),
    `-H ${sentKey}`,
    ...headers.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${shellQuoted(body)}`]),
    ...(savesAs === null ? [] : [`-o ${savesAs}`]),
  ].join(' \\\n  ');
}
