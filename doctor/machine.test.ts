import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateHybridIdentity, generateIdentity, identityToRecipient } from 'age-encryption';
import { expect, onTestFinished, test } from 'vitest';
import { readOwner } from '#backup/owner.ts';
import { changedCatalog } from '#catalog/test-catalog.ts';
import { createTestDatabase } from '#shared/database/test-database.ts';
import { fontFolders } from '#shared/paper/fonts.ts';
import { projectFolder } from '#shared/platform/project-folder.ts';
import { createDevelopmentCertificate } from '#server/signature/development-certificate.ts';
import { startS3 } from '#ship/standins/s3/s3.ts';
import { diskSpace, fonts, nodeFacilities, nodeVersion } from './checks/machine.ts';
import { examineOnly, problem, productionEnv, settingsFile, temporaryFolder } from './test-installation.ts';

test('names a Node version that is too old', async () => {
  expect(await examineOnly(nodeVersion('18.20.4'))).toContainEqual(problem('this is Node 18.20.4', 'Install Node'));
  expect(await examineOnly(nodeVersion())).toMatchObject([{ level: 'ok' }]);
});

test('names an undocumented facility of Node that does not work any more', async () => {
  const gone = { name: 'raw responses', fallback: 'ServerResponse', selfTest: () => false, disable: () => undefined };
  expect(await examineOnly(nodeFacilities([gone]))).toContainEqual(
    problem('raw responses does not work', 'newest version', 'warning'),
  );
  expect(await examineOnly(nodeFacilities())).toMatchObject([{ level: 'ok' }]);
});

test('names a disk on which less is free than is needed', async () => {
  const dataDir = temporaryFolder();
  expect(await examineOnly(diskSpace(2 ** 60), { DATA_DIR: dataDir })).toContainEqual(
    problem(`are free in ${dataDir}`, 'Make room'),
  );
});

test('names files with secrets that other users can read', async () => {
  const envFile = settingsFile('SMTP_URL=smtp://x:y@z', 0o644);
  expect(await examineOnly('file-modes', {}, { envFile })).toContainEqual(
    problem('has the mode 0644', `chmod 600 ${envFile}`),
  );
  chmodSync(envFile, 0o600);
  expect(await examineOnly('file-modes', {}, { envFile })).toMatchObject([{ level: 'ok' }]);
});

test('names a file with the secret of an API that other users can read', async () => {
  const folder = temporaryFolder();
  const secrets = join(folder, 'secrets');
  mkdirSync(secrets);
  const key = join(secrets, 'look-up-key');
  writeFileSync(key, 's3cret', { mode: 0o644 });
  const catalogDir = changedCatalog({});
  const file = join(catalogDir, 'tax-lookup-api.yaml');
  const gateway = 'gateway: { credentials: [{ type: bearer, token: { file: look-up-key } }] }';
  writeFileSync(file, `${readFileSync(file, 'utf8')}\n${gateway}\n`);
  const env = { CATALOG_DIR: catalogDir, CATALOG_SECRETS_DIR: secrets };
  expect(await examineOnly('file-modes', env)).toContainEqual(problem(`${key} has the mode 0644`, `chmod 600 ${key}`));
  chmodSync(key, 0o600);
  expect(await examineOnly('file-modes', env)).toMatchObject([{ level: 'ok' }]);
});

test('names a font that is missing', async () => {
  const folder = join(temporaryFolder(), 'fonts');
  const copied = fontFolders.map((from, index) => {
    const to = join(folder, String(index));
    cpSync(from, to, { recursive: true });
    return to;
  });
  expect(await examineOnly(fonts(copied))).toMatchObject([{ level: 'ok' }]);
  rmSync(copied[3] ?? '', { recursive: true });
  expect(await examineOnly(fonts(copied))).toContainEqual(problem(`${copied[3]} is missing`, 'npm ci'));
});

test('names places that are not there or not usable', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'file');
  writeFileSync(file, '');
  const dangling = join(folder, 'dangling');
  symlinkSync('gone/away', dangling);
  const twice = join(folder, 'twice');
  symlinkSync('dangling', twice);
  const circle = join(folder, 'circle');
  symlinkSync('circle', circle);
  const sound = { ACCESS_LOG: join(folder, 'access.log'), WAL_ARCHIVE_DIR: join(folder, 'wal') };
  const rates = { RATES_DIR: projectFolder('products', 'tax-lookup', 'rates') };
  const findings = await examineOnly('places', { ...sound, ...rates, TMPDIR: folder });
  expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'ok']);
  for (const [name, value, found, remedy] of [
    ['ACCESS_LOG', join(folder, 'gone', 'access.log'), 'no such file', `Create ${join(folder, 'gone')}`],
    ['ACCESS_LOG', folder, `${folder} is not a file.`, 'correct ACCESS_LOG'],
    ['WAL_ARCHIVE_DIR', join(file, 'wal'), `in ${file}/wal: ${file} is not a folder.`, 'WAL_ARCHIVE_DIR'],
    ['WAL_ARCHIVE_DIR', file, `in ${file}: ${file} is not a folder.`, 'WAL_ARCHIVE_DIR'],
    ['WAL_ARCHIVE_DIR', dangling, `${dangling} is a link to ${folder}/gone/away, which does not exist.`, 'WAL_ARCHIVE'],
    ['ACCESS_LOG', dangling, 'no such file', `Create ${folder}/gone for`],
    ['ACCESS_LOG', twice, 'no such file', `Create ${folder}/gone for`],
    ['ACCESS_LOG', circle, `${circle} is a link to itself`, 'correct ACCESS_LOG'],
    ['RATES_DIR', folder, 'notifications.yaml cannot be read: there is no such file', 'RATES_DIR'],
    ['TMPDIR', join(folder, 'gone'), 'no such file', 'Correct TMPDIR'],
    ['TMP', join(folder, 'gone'), join(folder, 'gone'), 'Correct TMP or'],
    ['TEMP', file, `${file} is not a folder.`, 'Correct TEMP'],
  ] as const)
    expect(await examineOnly('places', { [name]: value })).toContainEqual(problem(found, remedy));
  expect(await examineOnly('places', { TMPDIR: folder, TMP: join(folder, 'gone') })).toMatchObject([
    { level: 'ok', found: `${folder} is writable.` },
  ]);
  expect(await examineOnly('places', rates)).toContainEqual(
    expect.objectContaining({ found: expect.stringMatching(/readable; the products check the rates when they start/) }),
  );
});

const examineLetters = (letters: string, day = '2026-11-24') =>
  examineOnly('letters', { LETTERS_OF_UNDERTAKING: letters }, { now: () => Date.parse(`${day}T12:00:00+05:30`) });

test('names letters of undertaking that have ended or end soon', async () => {
  const year = 'AD270426000001A:2026-04-01:2027-03-31';
  expect(await examineLetters(year)).toMatchObject([
    { level: 'ok', found: 'Exports and SEZs are covered until 2027-03-31.' },
  ]);
  expect(await examineLetters('AD270425000001A:2025-04-01:2026-03-31')).toEqual([
    problem('No letter of undertaking is valid today', 'RFD-11 for this financial year, 2026-27,'),
  ]);
  expect(await examineLetters(year, '2027-02-13')).toMatchObject([{ level: 'ok' }]);
  expect(await examineLetters(year, '2027-02-14')).toEqual([
    problem('covered until 2027-03-31', 'RFD-11 for the next financial year, 2027-28,', 'warning'),
  ]);
  // A letter may end within its year, when it is withdrawn.
  expect(await examineLetters('AD270426000001A:2026-04-01:2026-12-01')).toEqual([
    problem('covered until 2026-12-01', 'RFD-11 for this financial year, 2026-27,', 'warning'),
  ]);
  // The next one is known, and leaves a day out.
  expect(await examineLetters(`${year},AD270427000001A:2027-04-02:2028-03-31`, '2027-03-20')).toEqual([
    problem('until 2027-03-31, and again from 2027-04-02.', 'Compare the days of AD270427000001A', 'warning'),
  ]);
  expect(await examineLetters('AD290426000001A:2026-04-01:2027-03-31')).toEqual([
    problem('No letter in LETTERS_OF_UNDERTAKING is of the State of SUPPLIER_GSTIN 27', 'for this GSTIN'),
  ]);
  expect(await examineLetters('')).toMatchObject([{ level: 'unchecked' }]);
});

test('names a journal folder that cannot be written to', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'journal'), '');
  const file = join(folder, 'journal');
  for (const [env, place] of [
    [{ DATA_DIR: folder }, file],
    [{ JOURNAL_DIR: join(file, 'mine') }, join(file, 'mine')],
  ] as const)
    expect(await examineOnly('journal', env)).toEqual([
      problem(`The journal cannot be written to ${place}: ${file} is not a folder.`, 'JOURNAL_DIR'),
    ]);
});

test('names a signing certificate that ended, and one that its passphrase does not open', async () => {
  const file = join(temporaryFolder(), 'sign.p12');
  const env = { SIGNING_CERTIFICATE: file, SIGNING_PASSPHRASE: 'opensesame' };
  writeFileSync(file, await createDevelopmentCertificate('opensesame', { to: new Date('2024-05-01') }));
  expect(await examineOnly('signing-certificate', env)).toContainEqual(
    problem('ended on 2024-05-01', 'certifying authority'),
  );
  expect(await examineOnly('signing-certificate', { ...env, SIGNING_PASSPHRASE: 'other' })).toContainEqual(
    problem('SIGNING_PASSPHRASE does not open', 'passphrase'),
  );
});

test('a certificate of the supplier is its own, however the name is written', async () => {
  const file = join(temporaryFolder(), 'sign.p12');
  writeFileSync(file, await createDevelopmentCertificate('s', { organisation: 'KAVERI APIS PVT. LTD.' }));
  const env = { SIGNING_CERTIFICATE: file, SIGNING_PASSPHRASE: 's', SUPPLIER_NAME: 'Kaveri APIs Private Limited' };
  expect(await examineOnly('signing-certificate', env)).toMatchObject([{ level: 'ok' }]);
});

test('names backups that are missing, old, empty or readable', async () => {
  const folder = temporaryFolder();
  const database = await createTestDatabase();
  onTestFinished(database.close);
  const { installation } = await readOwner(database.databaseUrl);
  const env = { ...productionEnv, DATABASE_URL: database.databaseUrl, BACKUP_DIR: folder };
  expect(await examineOnly('backups', productionEnv)).toContainEqual(problem('BACKUP_DIR is not set', 'every night'));
  expect(await examineOnly('backups', { ...env, BACKUP_DIR: join(folder, 'gone') })).toContainEqual(
    problem('no such folder', 'BACKUP_DIR'),
  );
  expect(await examineOnly('backups', env)).toContainEqual(
    problem('There is no backup of this installation', 'every night'),
  );
  const file = join(folder, `octroi-2026-11-20T020000IST-${installation}.tar.gz`);
  writeFileSync(file, '');
  const old = new Date(Date.now() - 3 * 86_400_000);
  utimesSync(file, old, old);
  const findings = await examineOnly('backups', env);
  expect(findings).toContainEqual(problem('is 72 hours old', 'octroi backup'));
  expect(findings).toContainEqual(problem('is empty', 'Make room'));
  expect(findings).toContainEqual(problem('is not encrypted', 'BACKUP_RECIPIENT', 'warning'));
  const ahead = `octroi-2999-01-01T000000IST-${installation}.tar.gz.age`;
  writeFileSync(join(folder, ahead), 'of a clock that was ahead');
  const withLater = await examineOnly('backups', env);
  expect(withLater).toContainEqual(problem(`${ahead}: dated later`, 'Delete it', 'warning'));
  expect(withLater).toContainEqual(problem('is 72 hours old', 'octroi backup'));
  // Whose they are, only the database can say.
  const without = await examineOnly('backups', { ...env, DATABASE_URL: 'postgres://octroi@127.0.0.1:1/octroi' });
  expect(without).toContainEqual(expect.objectContaining({ level: 'unchecked' }));
});

const examineRecipients = async (BACKUP_RECIPIENT: string) => {
  const findings = await examineOnly('backups', {
    ...productionEnv,
    BACKUP_DIR: temporaryFolder(),
    BACKUP_RECIPIENT,
  });
  return findings.filter(({ found }) => found.includes('public key'));
};

test('names the public key of several that is wrong, and why', async () => {
  const key = await identityToRecipient(await generateIdentity());
  expect(await examineRecipients(`${key},${await identityToRecipient(await generateHybridIdentity())}`)).toEqual([]);
  const swapped = `${key.slice(0, -1)}${key.endsWith('q') ? 'p' : 'q'}`;
  for (const [wrong, why] of [
    [key.slice(0, -1), 'it has 61 characters instead of 62'],
    [key + key, 'it has 124 characters instead of 62'],
    [key.slice(0, 9), 'it has 9 characters instead of 62'],
    [`${key.slice(0, 30)}1${key.slice(31)}`, 'it has the character 1, as no key has'],
    [swapped, 'a character in it is wrong or missing'],
    [
      'age1yubikey1qwt50d05nh5vutpdzmlg5wn80xq5negm4uj9ghv0snvdd3yysf5yw3rhl3t',
      'of a kind that Octroi can’t encrypt for',
    ],
  ] as const) {
    const shown = wrong.length < 30 ? wrong : `${wrong.slice(0, 12)}…${wrong.slice(-6)}`;
    expect(await examineRecipients(wrong)).toEqual([
      problem(`BACKUP_RECIPIENT: ${shown} is no public key of age: `, 'Copy it'),
    ]);
    expect(await examineRecipients(`${key}, ${wrong}`)).toEqual([
      problem(`BACKUP_RECIPIENT, key 2 of 2: ${shown} is no`, 'Copy it'),
    ]);
    expect(await examineRecipients(`${key}, ${wrong}`)).toEqual([problem(`${why}.`, 'Copy it')]);
  }
});

test('names a store of backups whose key may list and not write, before a backup is made in vain', async () => {
  const account = { keyId: 'AKIAEXAMPLE', secret: 'a/secret+key', region: 'ap-south-1' };
  const store = await startS3({ ...account, bucket: 'backups' });
  const database = await createTestDatabase();
  onTestFinished(database.close);
  const { installation } = await readOwner(database.databaseUrl);
  const env = {
    DATABASE_URL: database.databaseUrl,
    BACKUP_DIR: `${store.url}/octroi`,
    BACKUP_S3_KEY_ID: account.keyId,
    BACKUP_S3_SECRET: account.secret,
    BACKUP_S3_REGION: account.region,
  };
  try {
    const name = `octroi/octroi-2026-11-20T020000IST-${installation}.tar.gz.age`;
    store.objects.set(name, { body: Buffer.from('backup'), at: new Date() });
    expect(await examineOnly('backups', env)).toMatchObject([{ level: 'ok' }]);
    store.forbidWriting();
    expect(await examineOnly('backups', env)).toEqual([problem('AccessDenied', 'the right to write')]);
  } finally {
    await store.close();
  }
});
