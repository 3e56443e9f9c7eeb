import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { curlSample } from '#web/features/reference/samples/curl.ts';
import { javaSample } from '#web/features/reference/samples/java.ts';
import { javascriptSample } from '#web/features/reference/samples/javascript.ts';
import { phpSample } from '#web/features/reference/samples/php.ts';
import { pythonLiteral, pythonSample } from '#web/features/reference/samples/python.ts';
import type { SampleCall } from '#web/features/reference/samples/sample-call.ts';
import { sampleLanguages } from '#web/features/reference/samples/sample.ts';

const post: SampleCall = {
  method: 'POST',
  url: 'http://localhost:4100/x/v1/y?z=1',
  headers: [['Content-Type', 'application/json']],
  body: `{"name":"Devi's \\"$HOME\\"","all":[true,null]}`,
  savesAs: null,
  key: 'gstk_live_x',
};

test('the key is taken from the environment until one is typed, in every language', () => {
  for (const { write } of sampleLanguages) {
    expect(write(post)).toContain('gstk_live_x');
    expect(write(post)).not.toContain('API_KEY');
    expect(write({ ...post, key: null })).toContain('API_KEY');
  }
});

test('a file is saved under its name, in every language', () => {
  for (const { write } of sampleLanguages)
    expect(write({ ...post, savesAs: 'invoices.pdf' })).toContain('invoices.pdf');
});

test('characters with a special meaning in a shell, PHP, Python, Java and JavaScript are escaped', () => {
  expect(curlSample(post)).toContain(String.raw`--data-raw '{"name":"Devi'\''s \"$HOME\"","all":[true,null]}'`);
  expect(phpSample(post)).toContain(`<<<'JSON'\n    {"name":"Devi's`);
  expect(phpSample({ ...post, body: "{\nJSON\n'" })).toContain(String.raw`'{`);
  expect(pythonSample(post)).toContain(String.raw`"name": "Devi's \"$HOME\"",`);
  expect(pythonSample(post)).toContain('True,\n            None,');
  expect(javaSample(post)).toContain(String.raw`{"name":"Devi's \\"$HOME\\"","all":[true,null]}`);
  expect(javascriptSample(post)).toContain(String.raw`"name": "Devi's \"$HOME\"",`);
});

test('a body that is not JSON is sent unchanged', () => {
  expect(javascriptSample({ ...post, body: '{ oops' })).toContain('body: "{ oops",');
  expect(pythonSample({ ...post, body: '{ oops' })).toContain('data="{ oops".encode(),');
});

test('a literal of Python says every value of JSON, and reads as JSON when its words are changed back', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
      const words = { None: 'null', True: 'true', False: 'false' };
      const back = pythonLiteral(value)
        .split(/("(?:[^"\\]|\\.)*")/)
        .map((piece, index) =>
          index % 2 === 1
            ? piece
            : piece
                .replaceAll(/None|True|False/g, (word) => new Map(Object.entries(words)).get(word) ?? word)
                .replaceAll(/,(\s*[\]}])/g, '$1'),
        )
        .join('');
      expect(JSON.stringify(JSON.parse(back))).toBe(JSON.stringify(value));
    }),
  );
});
