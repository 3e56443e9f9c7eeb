import { spawnSync } from 'node:child_process';
import { aptGet } from '../../ship/launch/install.mjs';

const isThere = () => ['softhsm2-util', 'pkcs11-tool'].every((name) => spawnSync(name, ['--help']).error === undefined);

const install = () =>
  aptGet('Installing SoftHSM and OpenSC', ['install', '--yes', '--no-install-recommends', 'softhsm2', 'opensc']);

/** SoftHSM, a PKCS #11 token in software, and OpenSC's tool for tokens: installed if they can be. Elsewhere their tests are skipped. */
export async function installTokens() {
  if (isThere()) return;
  const mayInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
  if (
    mayInstall &&
    ((await install()) || ((await aptGet('Looking up Debian packages', ['update'])) && (await install())))
  )
    return;
  console.log(
    'SoftHSM and OpenSC were not found: the tests of signing tokens are skipped (Debian: apt-get install softhsm2 opensc).',
  );
}
