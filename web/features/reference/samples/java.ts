import { type SampleCall, keyHeader, keyVariable } from '#web/features/reference/samples/sample-call.ts';
import { doubleQuoted, indented } from '#web/features/reference/samples/quoting.ts';

/** A program for Java 17 and newer, in one file and with nothing but the JDK. */
export function javaSample({ method, url, headers, body, savesAs, key }: SampleCall): string {
  const sent = [
    [doubleQuoted(keyHeader), key === null ? `System.getenv("${keyVariable}")` : quoted(key)],
    ...headers.map(([name, value]) => [quoted(name), quoted(value)]),
  ];
  const publisher =
    body === null
      ? 'HttpRequest.BodyPublishers.noBody()'
      : `HttpRequest.BodyPublishers.ofString(${indented(textBlock(body), 16)})`;
  return [
    'import java.net.URI;',
    'import java.net.http.HttpClient;',
    'import java.net.http.HttpRequest;',
    'import java.net.http.HttpResponse;',
    ...(savesAs === null ? [] : ['import java.nio.file.Files;', 'import java.nio.file.Path;']),
    '',
    'public class Sample {',
    '    public static void main(String[] args) throws Exception {',
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
