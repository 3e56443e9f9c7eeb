import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { SampleCall } from '#web/features/reference/samples/sample-call.ts';
import { sampleLanguages } from '#web/features/reference/samples/sample.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'octroi-samples-'));
const seen: {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}[] = [];
let api: Server;
let address: string;

beforeAll(async () => {
  api = createServer((req, res) => {
    void (async () => {
      seen.push({ method: req.method, url: req.url, headers: req.headers, body: await text(req) });
      const isWrong = req.headers['x-api-key'] !== 'gstk_live_x';
      res.writeHead(isWrong ? 401 : 200, { 'Content-Type': 'application/json' });
      res.end(isWrong ? '{"message":"wrong key"}' : '{"name":"देवी"}');
    })();
  });
  await once(api.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.number() }).parse(api.address());
  address = `http://127.0.0.1:${port}/x/v1/y?z=1%202`;
});
afterAll(() => {
  api.closeAllConnections();
  api.close();
  rmSync(folder, { recursive: true });
});

/** A body that is hard to write down: quotes, dollars, backslashes, other scripts, and the words that end a text in some language. */
const body = JSON.stringify({ name: `Devi's "$HOME" \\n \u0001 देवी 🙂 """ JSON`, all: [true, null, 1.5] }, null, 2);

/** Runs a sample as a reader would, in a machine's plainest language. */
async function runSample(id: string, sample: string): Promise<{ stdout: string }> {
  const [command, file] = {
    curl: ['sh', 'sample.sh'],
    javascript: [process.execPath, 'sample.mjs'],
    python: ['python3', 'sample.py'],
    java: ['java', 'Sample.java'],
    php: ['php', 'sample.php'],
  }[id] ?? ['', ''];
  writeFileSync(join(folder, file ?? ''), sample);
  return run(command ?? '', [file ?? ''], { cwd: folder, env: { PATH: process.env['PATH'], API_KEY: 'gstk_live_x' } });
}

const programs: Record<string, string> = {
  curl: 'curl',
  javascript: 'node',
  python: 'python3',
  java: 'java',
  php: 'php',
};
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

test.for(sampleLanguages.map(({ id, write }) => ({ id, write })))(
  'the sample in $id runs as it is: the call arrives whole, and its answer is printed or saved',
  async ({ id, write }, { skip }) => {
    const program = programs[id] ?? '';
    skip(!isThere(program), `${program} is not installed on this machine`);
    const call: SampleCall = {
      method: 'POST',
      url: address,
      headers: [['Content-Type', 'application/json']],
      body,
      savesAs: null,
      key: null,
    };
    const { stdout } = await runSample(id, write(call));
    expect(JSON.parse(stdout)).toEqual({ name: 'देवी' });
    const arrived = seen.pop();
    expect(arrived).toMatchObject({ method: 'POST', url: '/x/v1/y?z=1%202' });
    expect(arrived?.headers).toMatchObject({ 'x-api-key': 'gstk_live_x', 'content-type': 'application/json' });
    expect(JSON.parse(arrived?.body ?? '')).toEqual(JSON.parse(body));

    await runSample(id, write({ ...call, method: 'GET', body: null, headers: [], savesAs: 'answer.json' }));
    expect(JSON.parse(readFileSync(join(folder, 'answer.json'), 'utf8'))).toEqual({ name: 'देवी' });
    expect(seen.pop()).toMatchObject({ method: 'GET', body: '' });

    // Where the call is refused, the program fails and says why.
    const failed: unknown = await runSample(id, write({ ...call, key: 'another' })).catch((error: unknown) => error);
    const { stdout: printed, stderr } = z.object({ stdout: z.string(), stderr: z.string() }).parse(failed);
    expect(printed + stderr).toContain('wrong key');
  },
);

test.for(sampleLanguages.map(({ id, write }) => ({ id, write })))(
  'the sample in $id asks for headers alone, sends brackets in an address, and a body that is not JSON to the byte',
  async ({ id, write }, { skip }) => {
    const program = programs[id] ?? '';
    skip(!isThere(program), `${program} is not installed on this machine`);
    const call: SampleCall = { method: 'HEAD', url: address, headers: [], body: null, savesAs: null, key: null };
    await runSample(id, write(call));
    expect(seen.pop()).toMatchObject({ method: 'HEAD', body: '' });

    await runSample(id, write({ ...call, method: 'GET', url: `${address}&filter[name]=a` }));
    expect(decodeURIComponent(seen.pop()?.url ?? '')).toContain('&filter[name]=a');

    const form: SampleCall['headers'] = [['Content-Type', 'application/x-www-form-urlencoded']];
    await runSample(id, write({ ...call, method: 'POST', headers: form, body: 'grant=a&note=b%20c' }));
    expect(seen.pop()).toMatchObject({ method: 'POST', body: 'grant=a&note=b%20c' });
  },
);

test.for(sampleLanguages.map(({ id, write }) => ({ id, write })))(
  'the sample in $id sends files: as a part of a form, and as the whole body',
  async ({ id, write }, { skip }) => {
    const program = programs[id] ?? '';
    skip(!isThere(program), `${program} is not installed on this machine`);
    writeFileSync(join(folder, 'photo.png'), 'the bytes');
    const call: SampleCall = { method: 'POST', url: address, headers: [], body: null, savesAs: null, key: null };
    const parts = [
      { name: 'title', value: '@Devi\u2019s "photo"' },
      { name: 'photo', value: { file: 'photo.png' } },
    ];
    await runSample(id, write({ ...call, body: { parts } }));
    const form = seen.pop();
    const type = form?.headers['content-type'] ?? '';
    const sent = await new Response(form?.body, { headers: { 'content-type': type } }).formData();
    expect(sent.get('title')).toBe('@Devi\u2019s "photo"');
    const photo = z.instanceof(File).parse(sent.get('photo'));
    expect([photo.name, await photo.text()]).toEqual(['photo.png', 'the bytes']);

    await runSample(id, write({ ...call, headers: [['Content-Type', 'image/png']], body: { file: 'photo.png' } }));
    expect(seen.pop()).toMatchObject({ body: 'the bytes', headers: { 'content-type': 'image/png' } });
  },
);
