import { type CallPart, type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { doubleQuoted, indented, jsonOf } from '#web/features/reference/samples/quoting.ts';

/** A program for Java 17 and newer, in one file and with nothing but the JDK. */
export function javaSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sent = [
    [doubleQuoted(keyHeader), key === null ? `System.getenv("${keyVariable}")` : quoted(key)],
    ...headers.map(([name, value]) => [quoted(name), quoted(value)]),
  ];
  const parts = body !== null && typeof body === 'object' && 'parts' in body ? body.parts : undefined;
  if (parts !== undefined) sent.push(['"Content-Type"', '"multipart/form-data; boundary=" + boundary']);
  const publisher = publisherOf(body);
  return [
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    ...(savesAs === null && parts === undefined && !(body !== null && typeof body === 'object')
      ? []
      : ['import java.nio.file.Files;', 'import java.nio.file.Path;']),
    ...(parts === undefined ? [] : ['import java.util.UUID;']),
    '',
    'public class Sample {',
    '    public static void main(String[] args) throws Exception {',
    ...(parts === undefined ? [] : formLines(parts)),
    `        HttpRequest request = HttpRequest.newBuilder(URI.create(${quoted(url)}))`,
    ...sent.map(([name, value]) => `            .header(${name}, ${value})`),
    `            .method("${method}", ${publisher})`,
    '            .build();',
    '        HttpResponse<byte[]> response = HttpClient.newHttpClient()',
    '            .send(request, HttpResponse.BodyHandlers.ofByteArray());',
    '        if (response.statusCode() >= 400) {',
    '            throw new IllegalStateException(new String(response.body(), "UTF-8"));',
    '        }',
    ...(savesAs === null
      ? ['        System.out.writeBytes(response.body());', '        System.out.println();']
      : [`        Files.write(Path.of("${savesAs}"), response.body());`]),
    '    }',
    '}',
  ].join('\n');
}

function publisherOf(body: SampleCall['body']): string {
  if (body === null) return 'HttpRequest.BodyPublishers.noBody()';
  // A text block ends with a line break, which only JSON may have.
  if (typeof body === 'string') {
    const literal = jsonOf(body) === undefined ? quoted(body) : indented(textBlock(body), 16);
    return `HttpRequest.BodyPublishers.ofString(${literal})`;
  }
  if ('file' in body) return `HttpRequest.BodyPublishers.ofFile(Path.of(${quoted(body.file)}))`;
  return 'HttpRequest.BodyPublishers.ofByteArray(form.toByteArray())';
}

function formLines(parts: readonly CallPart[]): string[] {
  const lines = parts.flatMap(({ name, value }) => {
    const disposition = `Content-Disposition: form-data; name=${doubleQuoted(name)}`;
    const head = typeof value === 'string' ? disposition : `${disposition}; filename=${doubleQuoted(value.file)}`;
    const content =
      typeof value === 'string'
        ? `${quoted(value)}.getBytes("UTF-8")`
        : `Files.readAllBytes(Path.of(${quoted(value.file)}))`;
    return [
      `form.write(("--" + boundary + "\\r\\n" + ${quoted(head)} + "\\r\\n\\r\\n").getBytes("UTF-8"));`,
      `form.write(${content});`,
      'form.write("\\r\\n".getBytes("UTF-8"));',
    ];
  });
  return [
    'String boundary = UUID.randomUUID().toString();',
    'java.io.ByteArrayOutputStream form = new java.io.ByteArrayOutputStream();',
    ...lines,
    'form.write(("--" + boundary + "--\\r\\n").getBytes("UTF-8"));',
  ].map((line) => `        ${line}`);
}

function textBlock(text: string): string {
  const escaped = text.replaceAll('\\', String.raw`\\`).replaceAll('"""', String.raw`\"""`);
  return `"""\n${inAscii(escaped)}\n"""`;
}

function quoted(text: string): string {
  return inAscii(doubleQuoted(text));
}

/** Before Java 18 a program is read in the character set of the machine, which may be any. */
function inAscii(text: string): string {
  return text.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
