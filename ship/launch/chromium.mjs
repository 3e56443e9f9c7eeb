import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { aptGet, cacheFolder, npmCommand, run } from './install.mjs';

// The headless shell draws no window, which makes the run a third shorter.
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
];
/** An npm package that contains a browser, for machines that reach only a registry. */
const packagedBrowser = '@sparticuz/chromium@147.0.0';

export const noChromium =
  'No Chromium was found, and none could be installed. Install one (Debian: apt-get install chromium) or name one with CHROMIUM_PATH, then run npm test again.';

/** Some distributions install a stub that only says where to get the browser. */
function works(path, env = {}) {
  const tried = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 30_000, env: { ...process.env, ...env } });
  return tried.status === 0 && /chrom/i.test(tried.stdout);
}

function named() {
  for (const name of ['CHROMIUM_PATH', 'CHROME_PATH']) {
    const path = process.env[name];
    if (path === undefined || path === '') continue;
    if (!works(path)) throw new Error(`${name} names ${path}, which is not a Chromium that runs.`);
    return path;
  }
  return undefined;
}

function onPath() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path) && works(path));
}

function inPlaywrightCache() {
  const caches = [
    process.env.PLAYWRIGHT_BROWSERS_PATH,
    join(homedir(), '.cache', 'ms-playwright'),
    join(homedir(), 'Library', 'Caches', 'ms-playwright'),
  ];
  for (const cache of caches.filter((folder) => folder !== undefined && existsSync(folder))) {
    for (const browser of readdirSync(cache).filter((name) => name.startsWith('chromium-'))) {
      const inside = [
        'chrome-linux64/chrome',
        'chrome-linux/chrome',
        'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
      ];
      const found = inside.map((path) => join(cache, browser, path)).find((path) => existsSync(path) && works(path));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** An installed Chromium: named by the environment, on the PATH, or in Playwright's cache. */
export function findChromium() {
  return named() ?? onPath() ?? inPlaywrightCache();
}

async function fromDebian() {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined;
  if (!(await aptGet('Looking up Debian packages', ['update']))) return undefined;
  // Older releases have only the second.
  for (const name of ['chromium-headless-shell', 'chromium']) {
    if (await aptGet(`Installing ${name}`, ['install', '-y', '--no-install-recommends', name])) return onPath();
  }
  return undefined;
}

async function fromRegistry() {
  const cache = cacheFolder('octroi-chromium');
  const wrapper = join(cache, 'chromium');
  if (existsSync(wrapper) && works(wrapper)) return wrapper;
  try {
    mkdirSync(join(cache, 'unpacked'), { recursive: true });
    writeFileSync(join(cache, 'package.json'), '{"private":true}');
    const [program, ...first] = npmCommand();
    await run(
      'Downloading Chromium from the registry',
      program,
      [...first, 'install', '--no-audit', '--no-fund', packagedBrowser],
      cache,
    );
    // The package unpacks to the temporary folder; the variable makes it add the libraries that slim machines lack.
    const env = { ...process.env, TMPDIR: join(cache, 'unpacked'), AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' };
    const script = "import chromium from '@sparticuz/chromium'; console.log(await chromium.executablePath())";
    const output = await run('Unpacking it', process.execPath, ['--input-type=module', '-e', script], cache, env);
    const path = output.trim().split('\n').at(-1);
    const libraries = join(cache, 'unpacked', 'al2023', 'lib');
    const lines = [
      '#!/bin/sh',
      `[ -d /etc/fonts ] || export FONTCONFIG_PATH="${join(cache, 'unpacked', 'fonts')}"`,
      `LD_LIBRARY_PATH="${libraries}\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" exec "${path}" "$@"`,
    ];
    writeFileSync(wrapper, `${lines.join('\n')}\n`, { mode: 0o755 });
  } catch {
    return undefined;
  }
  return works(wrapper) ? wrapper : undefined;
}

/** An installed Chromium, else Debian's package when running as root, else one from a registry package. */
export async function getChromium() {
  const path = findChromium() ?? (await fromDebian()) ?? (await fromRegistry());
  if (path === undefined) throw new Error(noChromium);
  return path;
}
